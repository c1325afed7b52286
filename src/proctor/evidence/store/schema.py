"""The tables, once, for SQLite now and PostgreSQL later.

An episode's key is its run's number and its position in one integer, so the table needs no second index. `contents`
holds what repeats or is large (tools, prompts, artifacts) once, by SHA-256.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

SCHEMA_VERSION = 3
RUN_SHIFT = 32
"""Episode key = run number << RUN_SHIFT | position."""

metadata = MetaData()

meta = Table("meta", metadata, Column("key", Text, primary_key=True), Column("value", Text, nullable=False))

runs = Table(
    "runs",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("status", Text, nullable=False),
    Column("suite", Text, nullable=False),
    Column("agent", Text, nullable=False),
    Column("config_hash", Text, nullable=False, index=True),
    Column("frozen", Text, nullable=False),
    Column("inputs", Text, nullable=False),
    Column("execution", Text, nullable=False),
    Column("episodes", Integer, nullable=False),
    Column("cut", Integer),
    Column("root", Text),
    Column("seal", Text),
)

arms = Table(
    "arms",
    metadata,
    Column("run", Integer, ForeignKey("runs.number"), nullable=False),
    Column("arm", Integer, nullable=False),
    Column("entry", Integer, nullable=False),
    Column("family", Text, nullable=False),
    Column("regime", Text, nullable=False),
    Column("condition", Text, nullable=False),
    Column("cell", Text),
    Column("stage", Text, nullable=False),
    PrimaryKeyConstraint("run", "arm"),
)

episodes = Table(
    "episodes",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False),
    Column("lifetime", Integer, nullable=False),
    Column("arm", Integer, nullable=False),
    Column("unit", Integer, nullable=False),
    Column("part", Integer, nullable=False),
    Column("template", Text, nullable=False),
    Column("instance", Text, nullable=False),
    Column("phase", Text, nullable=False),
    Column("replicate", Integer, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("format_error", Boolean, nullable=False),
    Column("faults", Text),
    Column("calls", Integer, nullable=False),
    Column("retries", Integer, nullable=False, server_default="0"),
    Column("undeclared", Integer, nullable=False),
    Column("violations", Text),
    Column("tokens", Integer),
    Column("cost", Text),
    Column("measures", Text),
    Column("artifact_ok", Boolean),
    Column("answer", Text),
    Column("head", LargeBinary, nullable=False),
    Column("elapsed_us", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("aside", LargeBinary),
    Column("confidence", Float),
    Column("transitions", Integer),
    Column("claims", Text),
    Column("out_of_range", Integer),
    Column("undeclared_actions", Integer),
    Column("dictionary", Integer, nullable=False),
    Column("trace", LargeBinary, nullable=False),
)

segments = Table(
    "segments",
    metadata,
    Column("episode", BigInteger, nullable=False),
    Column("number", Integer, nullable=False),
    Column("trace", LargeBinary, nullable=False),
    PrimaryKeyConstraint("episode", "number"),
)

contents = Table(
    "contents",
    metadata,
    Column("sha256", LargeBinary, primary_key=True),
    Column("data", LargeBinary, nullable=False),
)

dictionaries = Table(
    "dictionaries",
    metadata,
    Column("run", Integer, ForeignKey("runs.number"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("data", LargeBinary, nullable=False),
    PrimaryKeyConstraint("run", "number"),
)

stages = Table(
    "stages",
    metadata,
    Column("run", Integer, ForeignKey("runs.number"), nullable=False),
    Column("stage", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("data", Text, nullable=False),
    PrimaryKeyConstraint("run", "stage"),
)

attachments = Table(
    "attachments",
    metadata,
    Column("run", Integer, ForeignKey("runs.number"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("content", LargeBinary, nullable=False),
    PrimaryKeyConstraint("run", "number"),
    UniqueConstraint("run", "kind", "sha256"),
)
"""Documents beside a run, in the order in which they came; see `evidence/attachments.py`."""
