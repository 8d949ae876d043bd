#!/bin/sh
# Runs the server; with arguments, a command of the operator, such as `backup /backups/today`. `backup-daily` makes one
# backup in a directory every day at 02:30 UTC and keeps the newest ones; while the last one failed, the health check of
# compose.yaml finds /tmp/backup-failed.
set -eu

# The root file system may be read-only, without a directory for temporary files.
if [ -z "${TMPDIR:-}" ] && [ ! -w /tmp ] && [ -w "$DATA_DIR" ]; then
  export TMPDIR="$DATA_DIR/tmp"
  mkdir -p "$TMPDIR"
fi

case "${1:-}" in
'' | serve)
  exec node /app/server/dist/main.js
  ;;
backup-daily)
  directory=$2 kept=$3 at=9000 day=86400 failed=${TMPDIR:-/tmp}/backup-failed
  while :; do
    sleep $(((at - $(date +%s) % day + day - 1) % day + 1))
    if operator backup "$directory" --keep "$kept"; then
      rm -f "$failed"
    else
      echo "sortie: the backup failed with exit code $?; the next one is tomorrow" >&2
      : >"$failed"
    fi
  done
  ;;
*)
  exec operator "$@"
  ;;
esac
