#!/bin/sh
# Runs once, when the Postgres of compose.yaml is made: the database and its owner, an ordinary role that row-level
# security binds.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$SORTIE_DATABASE_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
create role sortie login password :'password';
create database sortie owner sortie;
SQL
