-- An import can say that its file is a look at everything and leave out what is out of scope: of those hosts it says nothing.
alter table coverages
  drop constraint coverages_what_check,
  add constraint coverages_what_check
    check (what in ('host', 'ports', 'records', 'url', 'certificate', 'vulnerabilities', 'rule', 'everything', 'nothing'));

-- Sightings that changed nothing are dropped after a while, in their order.
create index observations_unchanged on observations (sequence) where change in ('unchanged', 'older');

-- The program that wrote the file, where the file names it; several formats are written by many programs.
alter table imports add column tool text;
