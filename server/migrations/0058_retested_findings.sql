-- A finding of a later engagement names the one that it retests. It outlives that one.
alter table findings
  add column retest_of text collate "C",
  add foreign key (organization_id, retest_of) references findings (organization_id, id) on delete set null (retest_of);
create index findings_retest_of on findings (organization_id, retest_of) where retest_of is not null;
