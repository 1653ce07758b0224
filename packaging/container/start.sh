#!/bin/sh
# start.sh [ARGUMENT…]: runs recorderd with these arguments. Without arguments, it runs the recorder, or, while there is no configuration,
# the setup in a browser at the address RECORDERD_SETUP_AT.
# A core dump would contain tokens and passwords. This limit holds whatever the limits of the container are.
ulimit -c 0
config=/etc/recorderd/recorderd.yaml
if [ $# -gt 0 ]; then exec recorderd "$@"; fi
# Processes end with the container, so captures end first and close their files. The next start continues them in another segment.
if [ -e "$config" ]; then exec recorderd run --end-captures --config "$config"; fi
exec recorderd setup --web "${RECORDERD_SETUP_AT:-127.0.0.1:8790}" --end-captures
