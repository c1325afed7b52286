"""The words of the family: goals, subjects and what stands around header fields. Nothing here draws or decides."""

from __future__ import annotations

PRIORITIES = ("low", "normal", "high", "urgent")

FIELDS = (
    "from: the address of whoever sent the mail (not of the recipient, a list, or where replies go)",
    "subject: the subject of this mail (not of an earlier mail or of the thread)",
    "priority: the priority it was sent with: low, normal, high or urgent",
    "timestamp: date and time at which it was sent (not received, forwarded or printed)",
)
GOALS = (
    "Triage of the inbox: report four header fields of mail {id}.\n- {fields}",
    "Below is what the mail system gave out about mail {id}. Copy these four fields of that mail:\n- {fields}",
    "Somebody wants to file mail {id} and needs its header fields, exactly as they were sent:\n- {fields}",
    "Which sender, subject, priority and time does mail {id} have? Read them off the text.\n- {fields}",
)
NOTE = "\nThe tools reread and passage show the text again, whole or in part, should you want to check a reading."
ANSWER_FORMAT = (
    "A JSON object with the keys `from` (text, the bare address), `subject` (text), `priority` (text, low, normal, "
    "high or urgent) and `timestamp` (text, YYYY-MM-DD HH:MM or exactly as it is written)."
)

SUBJECTS = (
    "Invoice {number} for the {thing}",
    "Change of the {thing} on {day}",
    "Minutes of the {thing} meeting on {day}",
    "Access to the {thing} from {day}",
    "Your order {number} of {thing} parts",
    "Missing {thing} papers in delivery {number}",
    "Reminder about the {thing} form {number}",
    "Visit of {firm} on {day}",
    "Offer {number} from {firm}",
    "Complaint of {firm} about the {thing}",
    "Draft {number} of the {thing} contract",
    "Questions on the {thing} before {day}",
    "Room {number} is closed on {day}",
    "New {thing} for {firm}",
    "Cancelled {thing} training on {day}",
    "Photographs of the {thing} at {firm}",
)
THINGS = (
    *("heating", "archive", "scaffold", "badge", "server", "forklift", "canteen", "press", "kiln", "ferry", "boiler"),
    *("garden", "lift", "printer", "crane", "survey", "workshop", "ledger", "parking", "greenhouse", "signal"),
)
LOCAL = ("post", "office", "desk", "team", "info", "orders", "service", "accounts")

RIVALS = ("reply", "thread", "received", "list", "asked", "resent", "bounce", "printed")
"""What else a header can hold: each is of the kind of an asked field and none is one."""
LABELS: dict[str, dict[str, str]] = {
    "headers": {
        "reply": "Reply-To: <{reply}>",
        "thread": "Thread-Topic: {thread}",
        "received": "Received: by mx2.{host}; {received}",
        "list": "List-Owner: <{list}>",
        "asked": "X-Original-Importance: {asked}",
        "resent": "Resent-From: <{resent}>",
        "bounce": "Return-Path: <{bounce}>",
        "printed": "X-Archived-At: {printed}",
    },
    "json": {
        "reply": '  "reply_to": "{reply}",',
        "thread": '  "in_reply_to_subject": "{thread}",',
        "received": '  "received": "{received}",',
        "list": '  "list_owner": "{list}",',
        "asked": '  "previous_priority": "{asked}",',
        "resent": '  "resent_by": "{resent}",',
        "bounce": '  "return_path": "{bounce}",',
        "printed": '  "exported": "{printed}",',
    },
    "forwarded": {
        "reply": "> answers please to {reply}",
        "thread": "> in the conversation {thread}",
        "received": "> reached us {received}",
        "list": "> via the list of {list}",
        "asked": "> conversation so far treated as {asked}",
        "resent": "> passed on once before by {resent}",
        "bounce": "> undeliverable copies to {bounce}",
        "printed": "> kept in the folder since {printed}",
    },
    "log": {
        "reply": "reply-to={reply}",
        "thread": 'thread="{thread}"',
        "received": "accepted={received}",
        "list": "list={list}",
        "asked": "prio-of-thread={asked}",
        "resent": "relay-user={resent}",
        "bounce": "bounce={bounce}",
        "printed": "flushed={printed}",
    },
    "xml": {
        "reply": '  <reply to="{reply}"/>',
        "thread": "  <thread>{thread}</thread>",
        "received": '  <hop at="{received}"/>',
        "list": '  <list owner="{list}"/>',
        "asked": '  <history priority="{asked}"/>',
        "resent": '  <resent by="{resent}"/>',
        "bounce": '  <bounce to="{bounce}"/>',
        "printed": '  <export at="{printed}"/>',
    },
    "prose": {
        "reply": "Answers are to go to {reply}.",
        "thread": "The mail before it in the conversation was called “{thread}”.",
        "received": "It came in at {received}.",
        "list": "The list it went through belongs to {list}.",
        "asked": "The mail before it had been of {asked} priority.",
        "resent": "{resent} had once passed a mail like it on.",
        "bounce": "Had it failed, {bounce} would have heard of it.",
        "printed": "This notice was made at {printed}.",
    },
    "card": {
        "reply": "ANSWER TO ......... {reply}",
        "thread": "CONVERSATION ...... {thread}",
        "received": "ARRIVAL ........... {received}",
        "list": "LIST OWNER ........ {list}",
        "asked": "CLASS BEFORE ...... {asked}",
        "resent": "PASSED ON BY ...... {resent}",
        "bounce": "BOUNCES TO ........ {bounce}",
        "printed": "PRINTED ........... {printed}",
    },
}
"""How each layout writes a rival down."""
