"""Running an examination: freeze it, plan it, live its episodes, write the evidence.

Three layers: `episode` takes live objects and gives a record, `build` turns names into objects, `batch` knows order,
resume and limits. Executors differ only in where lifetimes are lived. `probing` measures what identifies a family,
`load` puts real load on an agent.
"""
