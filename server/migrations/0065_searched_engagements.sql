-- The list of engagements is searched without folding each name anew: of a million that took more than the two seconds of a statement.
alter table engagements add column searched text not null generated always as (lower((name || chr(10) || client_name) collate names)) stored;
