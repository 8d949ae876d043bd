-- What was asked by a name belongs to the target of the name. Where the address is known, its target as well: while rules
-- deny it, the result is of the address. Decided when it is read, so that a change of rules writes no result.
alter table results
  add column address_target_id text collate "C",
  add foreign key (organization_id, address_target_id) references targets (organization_id, id) on delete set null (address_target_id);

create index results_of_address on results (organization_id, address_target_id, id) where address_target_id is not null;

-- Results from before say the address where it is their host.
update results r set address_target_id = a.id
from targets t, targets a
where t.id = r.target_id and t.kind = 'domain' and a.engagement_id = r.engagement_id and a.kind = 'ip' and a.canonical = r.host;
