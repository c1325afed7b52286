"""Keys: the private half stays private, and a signature proves one person and one content."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from proctor.core.atomic_write import atomic_write
from proctor.core.errors import InputError
from proctor.core.folders import make_folder
from proctor.core.signatures import Signature
from proctor.pipeline.keys import PRIVATE_FOLDER_VARIABLE, Keyring, load_signer, make_key


def test_a_key_has_two_halves_and_only_one_is_public(project: Path) -> None:
    public, private = make_key("anna", project)
    assert public == project / "proctor.keys" / "anna.pub"
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    assert not private.resolve().is_relative_to(project.resolve())
    assert private.read_bytes() not in public.read_bytes()
    assert Keyring(project).names() == ["anna"]


def test_nobody_else_can_write_keys_whatever_the_umask(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(PRIVATE_FOLDER_VARIABLE, raising=False)
    home = tmp_path / "elsewhere" / "config"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    before = os.umask(0)
    try:
        public, private = make_key("anna", project)
        with atomic_write(project / "decided.json") as file:
            file.write(b"{}")
        make_folder(project / "a" / "b")
    finally:
        os.umask(before)
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (public.parent, public, private, project / "a")}
    assert list(modes.values()) == [0o755, 0o644, 0o600, 0o755]
    assert stat.S_IMODE((project / "decided.json").stat().st_mode) == 0o644
    assert {stat.S_IMODE(path.stat().st_mode) for path in (home, home / "proctor", private.parent)} == {0o700}


def test_a_signature_holds_for_its_bytes_and_its_key_only(project: Path) -> None:
    make_key("anna", project)
    make_key("ben", project)
    anna, ben = load_signer("anna", project), load_signer("ben", project)
    signature = anna.sign(b"yes")
    assert signature.holds(b"yes")
    assert not signature.holds(b"no")
    assert not Signature("ben", ben.public, signature.value).holds(b"yes")
    assert not Signature("anna", "zz", signature.value).holds(b"yes")
    assert Keyring(project).knows(signature)
    assert not Keyring(project).knows(Signature("anna", ben.public, signature.value))


def test_a_private_key_inside_the_repository_is_refused(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / ".git").mkdir()
    (project / "sub").mkdir()
    monkeypatch.setenv(PRIVATE_FOLDER_VARIABLE, str(project / "keys"))
    with pytest.raises(InputError, match="outside"):
        make_key("anna", project / "sub")
    assert not (project / "keys").exists()


def test_nothing_is_overwritten(project: Path) -> None:
    make_key("anna", project)
    with pytest.raises(InputError, match="already exists"):
        make_key("anna", project)


@pytest.mark.parametrize("name", ["../anna", "Anna Bell", "", "a/b"])
def test_names_that_could_leave_the_folder_are_refused(project: Path, name: str) -> None:
    with pytest.raises(InputError, match="is not a valid key name"):
        make_key(name, project)
    with pytest.raises(InputError, match="no private key"):
        load_signer(name, project)


def test_a_key_others_can_read_proves_nothing(project: Path) -> None:
    _, private = make_key("anna", project)
    private.chmod(0o644)
    with pytest.raises(InputError, match="read by other users"):
        load_signer("anna", project)


def test_a_private_key_must_fit_the_public_one(project: Path) -> None:
    public, private = make_key("anna", project)
    text = public.read_text()
    public.write_text("ed25519 " + "0" * 64 + "\n")
    with pytest.raises(InputError, match="another key"):
        load_signer("anna", project)
    public.write_text("nonsense")
    with pytest.raises(InputError, match="not a public key"):
        load_signer("anna", project)
    public.unlink()
    with pytest.raises(InputError, match="does not know"):
        load_signer("anna", project)
    public.write_text(text)
    private.write_text("nonsense")
    with pytest.raises(InputError, match="not an Ed25519"):
        load_signer("anna", project)


def test_half_a_key_is_not_left_behind(project: Path) -> None:
    (project / "proctor.keys").write_text("a file where the folder should be")
    with pytest.raises(OSError, match=r"proctor\.keys"):
        make_key("anna", project)
    (project / "proctor.keys").unlink()
    make_key("anna", project)
