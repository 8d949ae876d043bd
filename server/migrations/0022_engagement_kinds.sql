-- An engagement can be of several kinds; `kind` is the first of them. A template engagement is one that others are started from.
-- An organization can let its members create engagements: off, until an admin switches it on.

alter table engagements add column kinds text[] collate "C" not null default '{other}';
update engagements set kinds = array[kind];
alter table engagements add check (kinds[1] = kind and cardinality(kinds) between 1 and 8);
alter table engagements add column is_template boolean not null default false;

alter table organizations add column members_create_engagements boolean not null default false;
