-- Deleted tasks, results, targets and scope rules stay in the trash for 30 days, from which they can be restored. Row-level
-- security hides them (`not_in_trash`, row-level-security.ts), so a query that does not consider the trash sees none of them.

alter table tasks add column trashed_at timestamptz(3);

-- The trash keeps the identity and the targets of a result apart: another report creates the result again, and its targets
-- can be deleted. An observation is hidden with its result.
alter table results
  add column trashed_at timestamptz(3),
  add column trashed_identity text collate "C",
  -- The targets it had before these were deleted; null while it has others.
  add column trashed_target_id text collate "C",
  add column trashed_address_target_id text collate "C";
alter table observations add column trashed_at timestamptz(3);

alter table targets
  add column trashed_at timestamptz(3),
  -- The parent it had before that was deleted.
  add column trashed_parent_id text collate "C";

alter table scope_rules add column trashed_at timestamptz(3);
alter table scope_rules drop constraint scope_rules_organization_id_engagement_id_pattern_key;
create unique index scope_rules_pattern on scope_rules (organization_id, engagement_id, pattern) where trashed_at is null;

-- A deleted check can be created again.
drop index tasks_one_check;
create unique index tasks_one_check on tasks (organization_id, engagement_id, methodology_id, item_key, coalesce(target_id, ''))
  where methodology_id is not null and trashed_at is null;

-- The trash of an engagement, and the oldest rows of all. Both are small compared with the tables.
create index tasks_in_trash on tasks (organization_id, engagement_id, id) where trashed_at is not null;
create index tasks_trashed on tasks (trashed_at) where trashed_at is not null;
create index results_in_trash on results (organization_id, engagement_id, id) where trashed_at is not null;
create index results_trashed on results (trashed_at) where trashed_at is not null;
create index results_trashed_target on results (organization_id, trashed_target_id) where trashed_target_id is not null;
create index results_trashed_address on results (organization_id, trashed_address_target_id) where trashed_address_target_id is not null;
create index targets_in_trash on targets (organization_id, engagement_id, id) where trashed_at is not null;
create index targets_trashed on targets (trashed_at) where trashed_at is not null;
create index targets_trashed_parent on targets (organization_id, trashed_parent_id) where trashed_parent_id is not null;
create index scope_rules_in_trash on scope_rules (organization_id, engagement_id, id) where trashed_at is not null;
create index scope_rules_trashed on scope_rules (trashed_at) where trashed_at is not null;

alter table results
  add foreign key (organization_id, trashed_target_id) references targets (organization_id, id) on delete set null (trashed_target_id),
  add foreign key (organization_id, trashed_address_target_id) references targets (organization_id, id) on delete set null (trashed_address_target_id);
alter table targets add foreign key (organization_id, trashed_parent_id) references targets (organization_id, id) on delete set null (trashed_parent_id);

-- As the foreign keys do when a target is deleted: its results stay without it, and remember it. A restored target gets those
-- back that belong to no other by now. Results in the trash as well, which the transaction sees.
create function release_results_of_target() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  if new.trashed_at is not null then
    update results set target_id = null, trashed_target_id = target_id where organization_id = new.organization_id and target_id = new.id;
    update results set address_target_id = null, trashed_address_target_id = address_target_id
      where organization_id = new.organization_id and address_target_id = new.id;
  else
    update results set target_id = coalesce(target_id, trashed_target_id), trashed_target_id = null
      where organization_id = new.organization_id and trashed_target_id = new.id;
    update results set address_target_id = coalesce(address_target_id, trashed_address_target_id), trashed_address_target_id = null
      where organization_id = new.organization_id and trashed_address_target_id = new.id;
  end if;
  return null;
end $$;

create trigger results_of_trashed after update of trashed_at on targets for each row
  when (old.trashed_at is distinct from new.trashed_at) execute function release_results_of_target();

-- For links, an object is gone as soon as it is in the trash. The argument names the column of the title.
create function keep_title_of_trashed() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update task_links l set title = to_jsonb(new) ->> tg_argv[0]
  where l.organization_id = new.organization_id and l.object_id = new.id and l.title <> to_jsonb(new) ->> tg_argv[0];
  return null;
end $$;

create trigger title_of_trashed after update of trashed_at on tasks for each row
  when (old.trashed_at is null and new.trashed_at is not null) execute function keep_title_of_trashed('title');
create trigger title_of_trashed after update of trashed_at on results for each row
  when (old.trashed_at is null and new.trashed_at is not null) execute function keep_title_of_trashed('title');
create trigger title_of_trashed after update of trashed_at on targets for each row
  when (old.trashed_at is null and new.trashed_at is not null) execute function keep_title_of_trashed('value');

-- Search finds nothing in the trash: the words of an object go there with it, and come back with it.
create function words_of_trashed() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  value text := case tg_argv[0]
    when 'task' then concat_ws(' ', to_jsonb(new) ->> 'title', (select string_agg(l, ' ') from jsonb_array_elements_text(to_jsonb(new) -> 'labels') l), to_jsonb(new) ->> 'description')
    when 'target' then concat_ws(' ', to_jsonb(new) ->> 'value', nullif(to_jsonb(new) ->> 'canonical', to_jsonb(new) ->> 'value'),
      (select string_agg(t, ' ') from jsonb_array_elements_text(to_jsonb(new) -> 'tags') t), to_jsonb(new) ->> 'notes')
    else concat_ws(' ', to_jsonb(new) ->> 'asset', to_jsonb(new) ->> 'title', to_jsonb(new) -> 'data' ->> 'cve',
      (select string_agg(t, ' ') from jsonb_array_elements_text(to_jsonb(new) -> 'tags') t), to_jsonb(new) ->> 'notes')
    end;
begin
  delete from object_words where object_id = new.id;
  if new.trashed_at is null then
    insert into object_words (object_id, owner, tree, words)
    values (new.id, new.organization_id || '/' || tg_argv[0], new.engagement_id,
      object_vector(array['=' || new.organization_id || '/' || tg_argv[0], '=' || new.engagement_id || '/' || tg_argv[0]], value));
  end if;
  return null;
end $$;

create trigger words_of_trashed after update of trashed_at on tasks for each row
  when (old.trashed_at is distinct from new.trashed_at) execute function words_of_trashed('task');
create trigger words_of_trashed after update of trashed_at on results for each row
  when (old.trashed_at is distinct from new.trashed_at) execute function words_of_trashed('result');
create trigger words_of_trashed after update of trashed_at on targets for each row
  when (old.trashed_at is distinct from new.trashed_at) execute function words_of_trashed('target');
