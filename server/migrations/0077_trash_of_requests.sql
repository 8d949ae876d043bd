-- Deleted requests and folders of requests stay in the trash for 30 days, from which they can be restored. Row-level security
-- hides them there (`not_in_trash`, row-level-security.ts).

-- trash_root_id is the request or folder whose deletion put the row there: restoring a folder brings back what was deleted with
-- it, and nothing that was deleted before.
alter table request_folders
  add column trashed_at timestamptz(3),
  add column trash_root_id text collate "C",
  add check ((trashed_at is null) = (trash_root_id is null));
alter table api_requests
  add column trashed_at timestamptz(3),
  add column trash_root_id text collate "C",
  add check ((trashed_at is null) = (trash_root_id is null));

-- The oldest deletions. Small compared with the tables.
create index request_folders_trashed on request_folders (trashed_at) where trashed_at is not null;
create index api_requests_trashed on api_requests (trashed_at) where trashed_at is not null;

-- For links, a request is gone as soon as it is in the trash.
create trigger title_of_trashed after update of trashed_at on api_requests for each row
  when (old.trashed_at is null and new.trashed_at is not null) execute function keep_title_of_trashed('name');

-- Search finds nothing in the trash: the words of a request go there with it, and come back with it.
create function words_of_trashed_request() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  delete from object_words where object_id = new.id;
  if new.trashed_at is null then
    insert into object_words (object_id, owner, tree, words)
    values (new.id, new.organization_id || '/request', coalesce(new.engagement_id, new.organization_id),
      object_vector(array['=' || new.organization_id || '/request', '=' || coalesce(new.engagement_id, new.organization_id) || '/request'],
        concat_ws(' ', new.name, new.method, new.url, new.description)));
  end if;
  return null;
end $$;

create trigger words_of_trashed after update of trashed_at on api_requests for each row
  when (old.trashed_at is distinct from new.trashed_at) execute function words_of_trashed_request();
