"""A quay: ships that are in port on one day, crews that come when their habits make them, hours to spend on asking."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.social.crew_promises.habits import Counterparty, Crew, Habit, Told
from proctor.suites.kit.text_world import TextWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

LAST_DAY = 16
REASONS = ("correct", "nothing_asked", "ship_without_crew", "crew_stayed_away", "came_early", "came_late")
CrewName = Annotated[str, Meta(max_length=80, description="The crew, as the text names it.")]


class Hand(Struct, frozen=True):
    """A crew as the instance has it."""

    name: str
    habit: Habit


class Job(Struct):
    """A promise, and what became of it."""

    ship: str
    told: Told
    came: int | None = None


class QuayWorld(TextWorld):
    """What was promised and done. Days pass when the agent waits, and by themselves at the end."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        hidden = instance.hidden
        hands = msgspec.convert(hidden["hands"], list[Hand])
        self._names = {_plain(one.name): one.name for one in hands}
        self._crews: dict[str, Counterparty] = {_plain(one.name): Crew(one.habit) for one in hands}
        self._ships: dict[str, int] = hidden["ships"]
        self._jobs: dict[str, Job] = {}
        self._helped: set[str] = set()
        self._hours: int = hidden["hours"]
        self._day = 1

    @tool(effect="write")
    def ask(
        self,
        crew: CrewName,
        ship: Annotated[str, Meta(max_length=80, description="The ship, as the text names it.")],
        day: Annotated[int, Meta(ge=1, le=LAST_DAY, description="The day to ask for; it need not be the ship's.")],
    ) -> dict[str, Any]:
        """Ask a crew to unload a ship on a day. Takes an hour; what a crew has promised cannot be changed."""
        key = self._crew(crew)
        wanted = ship.strip().lower().removeprefix("the ")
        known = next((name for name in self._ships if name.lower() == wanted), None)
        if known is None:
            message = f"there is no ship '{ship[:40]}'; there are {', '.join(self._ships)}"
            raise ToolError(message)
        if key in self._jobs:
            message = f"{self._names[key]} has taken the {self._jobs[key].ship} already"
            raise ToolError(message)
        if any(job.ship == known for job in self._jobs.values()):
            message = f"another crew has taken the {known} already"
            raise ToolError(message)
        if day < self._day:
            message = f"it is day {self._day} already"
            raise ToolError(message)
        self._spend()
        self._jobs[key] = Job(known, Told(day, helped=key in self._helped))
        return self._reply(f"{self._names[key]} promises to unload the {known} on day {day}")

    @tool(effect="write")
    def remind(self, crew: CrewName) -> dict[str, Any]:
        """Remind a crew of what it promised. Takes an hour."""
        key = self._crew(crew)
        if key not in self._jobs:
            message = f"{self._names[key]} has promised nothing yet; no hour was lost"
            raise ToolError(message)
        self._spend()
        job = self._jobs[key]
        if job.came is None:
            job.told = msgspec.structs.replace(job.told, reminded=True)
        return self._reply(f"{self._names[key]} has heard you")

    @tool(effect="write")
    def lend_hand(self, crew: CrewName) -> dict[str, Any]:
        """Lend a crew a hand with something of its own. Takes an hour."""
        key = self._crew(crew)
        self._spend()
        self._helped.add(key)
        job = self._jobs.get(key)
        if job is not None and job.came is None:
            job.told = msgspec.structs.replace(job.told, helped=True)
        return self._reply(f"{self._names[key]} thanks you")

    @tool(effect="write")
    def wait(
        self, days: Annotated[int, Meta(ge=1, le=LAST_DAY, description="How many days to let pass.")]
    ) -> dict[str, Any]:
        """Let days pass and hear which crews came on them. Costs no hour; days do not come back."""
        happened: list[str] = []
        for _ in range(days):
            if self._day > LAST_DAY:
                break
            happened += self._end_day(self._jobs, self._day)
            self._day += 1
        return {"day": self._day, "happened": happened or ["nothing"]}

    @tool(effect="read")
    def quay(self) -> dict[str, Any]:
        """Show the day, the hours that are left, and what was promised and done so far."""
        jobs = [
            f"{self._names[key]}: the {job.ship}, promised for day {job.told.day}"
            + (f", came on day {job.came}" if job.came is not None else "")
            for key, job in self._jobs.items()
        ]
        return {"day": self._day, "hours_left": self._hours, "promises": jobs}

    def _crew(self, crew: str) -> str:
        key = _plain(crew)
        if key not in self._names:
            message = f"there is no crew '{crew[:40]}'; there are {', '.join(self._names.values())}"
            raise ToolError(message)
        return key

    def _spend(self) -> None:
        if not self._hours:
            message = "no hour is left"
            raise ToolError(message)
        self._hours -= 1

    def _reply(self, said: str) -> dict[str, Any]:
        return {"answer": said, "hours_left": self._hours}

    def _end_day(self, jobs: dict[str, Job], day: int) -> list[str]:
        """Whoever comes on this day, comes."""
        happened = []
        for key, job in jobs.items():
            due = self._crews[key].comes(job.told)
            if job.came is None and due is not None and due <= day:
                job.came = day
                found = "and unloaded it" if self._ships[job.ship] == day else "which was not in port"
                happened.append(f"day {day}: {self._names[key]} came for the {job.ship}, {found}")
        return happened

    def state(self) -> Any:
        jobs = [[key, job.ship, job.told.day, job.told.reminded, job.came or 0] for key, job in self._jobs.items()]
        return {"day": self._day, "hours": self._hours, "jobs": jobs, "helped": sorted(self._helped)}

    def verify(self, submission: Submission) -> Verification:
        # The days that are left pass on a copy: looking changes nothing.
        jobs = {key: Job(job.ship, job.told, job.came) for key, job in self._jobs.items()}
        for day in range(self._day, LAST_DAY + 1):
            self._end_day(jobs, day)
        reason = self._verdict(jobs)
        return Verification(reason == "correct", reason)

    def _verdict(self, jobs: dict[str, Job]) -> str:
        if not jobs:
            return "nothing_asked"
        missed = [job for job in jobs.values() if job.came != self._ships[job.ship]]
        if not missed:
            return "correct" if len(jobs) == len(self._ships) else "ship_without_crew"
        came = missed[0].came
        if came is None:
            return "crew_stayed_away"
        return "came_early" if came < self._ships[missed[0].ship] else "came_late"


def _plain(crew: str) -> str:
    """A crew's name as it is looked up: with or without the word, in any case."""
    words = [word for word in crew.lower().replace("'s", "").split() if word not in ("crew", "the")]
    return " ".join(words)
