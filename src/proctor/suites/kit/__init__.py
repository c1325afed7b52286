"""What families share, whatever they measure. A family author looks here first; nothing here knows a family.

| module | what it has |
| --- | --- |
| `families` | bases of families: `JudgedByState` (no answer is right), `ReportingFamily` (read a text, report) |
| `instances` | `make_instance` from what is read in a task; `knob_values` of a draw |
| `sheet` | a text in lines with those that matter, its short passages, and what an instance shows of it |
| `pieces` | a text in named pieces, with those that matter |
| `cards` | a few named values on a short card, in eight layouts, and the ceiling of tasks that read several |
| `text_world` | worlds with one text that tools show again: `TextWorld`, `PieceWorld`, `MaterialWorld` |
| `answers` | `verify_answer`, `verify_fields`: reason codes for what was read, format errors for what was not |
| `retry` | `call_with_retry`: how oracles get through a flaky tool |
| `ceiling` | `Policy`: an optimal agent's calls under a regime, behind `Family.attainable` |
| `rereading` | what reading a text again restores under a regime: ceilings of text families |
| `word_file` | `read_words`: the words of a family from `words.yaml` beside its Python file |
| `words` | names of people, firms and towns that do not exist; months, weekdays, days |
| `spelling` | days, numbers and lists as data, in prose, and as said aloud |
| `draws` | many small choices from few large draws, where drawing is most of the cost |

What one dimension alone uses stays in its folder.
"""
