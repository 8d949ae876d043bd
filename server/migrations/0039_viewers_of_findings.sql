-- Who has a finding open, next to who has a wiki page open, and whether they edit it.

alter table wiki_viewers rename to viewers;
alter table viewers
  alter column page_id drop not null,
  add column finding_id text collate "C",
  -- Has the editor of the texts open.
  add column is_editing boolean not null default false,
  add foreign key (organization_id, engagement_id, finding_id) references findings (organization_id, engagement_id, id) on delete cascade,
  add check (num_nonnulls(page_id, finding_id) = 1);

create index viewers_finding on viewers (organization_id, engagement_id, finding_id) where finding_id is not null;
create index viewers_of_finding on viewers (organization_id, finding_id) where finding_id is not null;
