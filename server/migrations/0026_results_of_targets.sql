-- Results belong to targets; those of a target that is deleted stay, and belong to none.

alter table results
  add foreign key (organization_id, target_id) references targets (organization_id, id) on delete set null (target_id);

create index results_of_target on results (organization_id, target_id) where target_id is not null;
