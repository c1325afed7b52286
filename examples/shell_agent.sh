#!/bin/sh
# An agent in shell: one JSON object a line, in and out. It needs sh, sed and awk.
#
#     proctor run hello --only route --agent "cmd:sh examples/shell_agent.sh"
#
# It drives to the destination of family `route`: the shortest way on the map, and another one whenever a road is
# blocked. Other tasks it declines. Values are cut out of messages with sed, which is enough for names without quotes in
# them; where jq is installed, `jq -r .fields.position` is the better way.

# The next message of a type; the bench has nothing more to say when standard input ends.
receive() {
  while IFS= read -r message; do
    case $message in *"\"type\":\"$1\""*) return ;; esac
  done
  exit 0
}

value() { printf '%s\n' "$message" | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

# The first step of a shortest way; empty when there is none.
step() {
  printf '%s\n' "$roads" | awk -F '"' -v here="$1" -v end="$2" '
    { near[$2] = near[$2] "\"" $4; near[$4] = near[$4] "\"" $2 }
    END {
      queue[last = 1] = end; seen[end] = 1
      for (first = 1; first <= last; first++) {
        count = split(near[queue[first]], places, "\"")
        for (n = 2; n <= count; n++) {
          if (places[n] == here) { print queue[first]; exit }
          if (!seen[places[n]]++) queue[++last] = places[n]
        }
      }
    }'
}

echo '{"type":"ready"}'
while receive task; do
  receive observation
  here=$(value position) end=$(value destination)
  roads=$(printf '%s\n' "$message" | sed -n 's/.*"roads":\[\[\(.*\)\]\].*/\1/p' | sed 's/\],\[/\
/g')
  while [ "$here" != "$end" ] && next=$(step "$here" "$end") && [ -n "$next" ]; do
    printf '{"type":"tool_call","tool":"move","arguments":{"to":"%s"}}\n' "$next"
    receive result
    case $message in
      *'"ok":true'*) here=$next ;;
      *) roads=$(printf '%s\n' "$roads" | grep -v -x -F -e "\"$here\",\"$next\"" -e "\"$next\",\"$here\"") ;;
    esac
  done
  if [ -n "$end" ] && [ "$here" = "$end" ]; then answer='"arrived"'; else answer=null; fi
  printf '{"type":"submit","answer":%s}\n' "$answer"
done
