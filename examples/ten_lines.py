"""An agent of one's own in ten lines: brings listed pages from a source into an archive, in the family `pipeline`.

    proctor run hello --only pipeline --agent python:examples/ten_lines.py:make

Every page is tried three times, since tools fail now and then and an upload repeated with its key is stored only once.
Two kinds of task are left to the reader: pages that are drafts, and pages that name the next one.
"""

from proctor import Session, Submission, TaskView


class Courier:
    async def run(self, task: TaskView, session: Session) -> Submission:
        seen = session.observations[0].fields
        for n in 3 * seen.get("pages", []):
            old = await session.call("fetch", page=n)
            if old.ok and (new := await session.call("transform", items=old.value["items"])).ok:
                await session.call("upload", key=seen["key"].replace("PAGE", str(n)), page=n, items=new.value["items"])
        return Submission("done")


make = Courier
