-- An instance in safe mode starts nothing that leaves it: a restored or copied database must not scan beside the original.

create table safe_mode (
  -- There is one row at most, and none where the instance was never in safe mode.
  id boolean primary key default true check (id),
  -- A sentence for people.
  reason text not null,
  since timestamptz(3) not null,
  -- Null while safe mode is on. What was asked for before is not done after it.
  ended_at timestamptz(3)
);
