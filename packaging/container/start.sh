#!/bin/sh
# start.sh [ARGUMENT…]: is recorderd with these arguments. Without any it is the recorder, and where that has no configuration
# yet asks for one in a browser, at the address RECORDERD_SETUP_AT.
# A core would hold tokens and passwords: none is written, whatever limits the container has.
ulimit -c 0
config=/etc/recorderd/recorderd.yaml
if [ $# -gt 0 ]; then exec recorderd "$@"; fi
# Nothing lives on when a container stops: captures are ended with their files closed, and go on in another segment at the next start.
if [ -e "$config" ]; then exec recorderd run --end-captures --config "$config"; fi
exec recorderd setup --web "${RECORDERD_SETUP_AT:-127.0.0.1:8790}" --end-captures
