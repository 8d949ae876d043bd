-- Wiki pages of engagements and of the organization, with their history, links and search index.

create table wiki_pages (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  -- Null: the page belongs to the organization. Never changes.
  engagement_id text collate "C",
  parent_id text collate "C",
  title text collate names not null,
  -- The title in the form that links use, without regard to case.
  title_key text collate "C" not null,
  -- Fractional index among the pages with the same parent, including those in the trash.
  position text collate "C" not null check (octet_length(position) <= 400),
  -- The current text is the row of this revision in wiki_revisions.
  revision integer not null check (revision > 0),
  is_template boolean not null default false,
  -- Null for an API key, which the audit log names.
  created_by text collate "C" references users (id),
  updated_by text collate "C" references users (id),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  trashed_at timestamptz(3),
  -- The page that was deleted and took this page with it: restoring that page restores this one.
  trash_root_id text collate "C",
  check ((trashed_at is null) = (trash_root_id is null)),
  unique (organization_id, id),
  unique nulls not distinct (organization_id, engagement_id, parent_id, position) deferrable,
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  foreign key (organization_id, parent_id) references wiki_pages (organization_id, id) on delete cascade
);

create index wiki_pages_engagement on wiki_pages (organization_id, engagement_id, created_at, id);
create index wiki_pages_created on wiki_pages (organization_id, created_at, id);
create index wiki_pages_parent on wiki_pages (organization_id, parent_id);
create index wiki_pages_title on wiki_pages (organization_id, title_key);
create index wiki_pages_trash on wiki_pages (trashed_at) where trashed_at is not null;
create index wiki_pages_creator on wiki_pages (created_by);
create index wiki_pages_editor on wiki_pages (updated_by);

-- For links, a page is gone as soon as it is in the trash.
create function keep_last_title_of_page() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update task_links set title = new.title where organization_id = new.organization_id and object_id = new.id and title <> new.title;
  return null;
end $$;

create trigger title_of_trashed after update of trashed_at on wiki_pages for each row
  when (old.trashed_at is null and new.trashed_at is not null)
  execute function keep_last_title_of_page();

-- All texts of a page. Saves by one person in quick succession form one entry of the history. The texts in between are kept
-- for some days, so that edits based on them can be merged.
create table wiki_revisions (
  organization_id text collate "C" not null,
  engagement_id text collate "C",
  page_id text collate "C" not null,
  revision integer not null,
  body text not null,
  -- Bytes of the text in UTF-8.
  size integer not null,
  counted_bytes integer not null default 0,
  author text collate "C" references users (id),
  created_at timestamptz(3) not null,
  -- When the first save of the entry was made.
  edit_started_at timestamptz(3) not null,
  -- When the next revision was saved; null for the current one.
  superseded_at timestamptz(3),
  -- The next revision belongs to the same entry: this one is not part of the history.
  is_squashed boolean not null default false,
  primary key (organization_id, page_id, revision),
  foreign key (organization_id, page_id) references wiki_pages (organization_id, id) on delete cascade,
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index wiki_revisions_engagement on wiki_revisions (organization_id, engagement_id);
create index wiki_revisions_joined on wiki_revisions (superseded_at) where is_squashed;
create index wiki_revisions_author on wiki_revisions (author);

create function count_revision() returns trigger language plpgsql as $$
begin
  new.counted_bytes := octet_length(new.body);
  return new;
end $$;

create trigger count_bytes before insert or update of body on wiki_revisions for each row execute function count_revision();
create trigger bytes_added after insert on wiki_revisions referencing new table as added for each statement execute function bytes_added();
create trigger bytes_changed after update on wiki_revisions for each row
  when (old.counted_bytes <> new.counted_bytes) execute function bytes_changed();
create trigger bytes_gone after delete on wiki_revisions referencing old table as gone for each statement execute function bytes_gone();

-- References from each page.
create table wiki_links (
  organization_id text collate "C" not null,
  engagement_id text collate "C",
  page_id text collate "C" not null,
  -- The id in the text, or the title without regard to case.
  reference text collate "C" not null,
  -- The object that it names, stored so that a new title does not break the link; null while no page has that title.
  target_id text collate "C",
  primary key (organization_id, page_id, reference),
  foreign key (organization_id, page_id) references wiki_pages (organization_id, id) on delete cascade,
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index wiki_links_engagement on wiki_links (organization_id, engagement_id);
create index wiki_links_target on wiki_links (organization_id, target_id);
create index wiki_links_open on wiki_links (organization_id, reference) where target_id is null;

-- The words of pages, for search. Full-text operators are not leakproof, so Postgres does not use their index under
-- row-level security. So this table has no column that creates a policy, and only find_pages and copy_page_words read the
-- words (decision 40).
create table wiki_page_words (
  page_id text collate "C" primary key references wiki_pages (id) on delete cascade,
  -- The id of the engagement, or of the organization; null while the page is in the trash.
  tree text collate "C",
  title_words tsvector not null,
  -- Of title and text, and the organization's id after a character that no word contains, so that the index itself excludes
  -- the pages of other organizations.
  words tsvector not null
);

create index wiki_page_words_words on wiki_page_words using gin (words) with (fastupdate = off);

-- The newest pages, at most `max`, that have all the words and that the viewer sees; of one tree, unless `in_tree` is null.
-- Returns nothing for an organization or a viewer other than those of the transaction.
create function find_pages(organization text, viewer text, wanted tsquery, in_tree text, max integer)
returns table (page_id text, is_in_title boolean)
language sql stable security definer rows 1000
begin atomic
  select newest.page_id, newest.title_words @@ wanted from (
    select w.page_id, w.title_words from wiki_page_words w
    where w.words @@ (wanted && ('''=' || organization || '''')::tsquery)
      and organization = current_setting('sortie.organization', true)
      and viewer = current_setting('sortie.viewer', true)
      and w.tree is not null and (in_tree is null or w.tree = in_tree)
      and case
        when viewer like 'key\_%' then
          w.tree in (select k.engagement_id from api_key_engagements k where k.organization_id = organization and k.api_key_id = viewer)
        when viewer in ('all', 'open') or viewer like 'usr\_%' then
          w.tree not in (select h from hidden_engagements(organization, viewer) h)
        else false end
    order by w.page_id desc limit max
  ) newest;
end;

-- Copies the words of pages to their copies in the same organization.
create function copy_page_words(organization text, ids text[], new_ids text[], new_tree text) returns void
language sql volatile security definer
begin atomic
  insert into wiki_page_words (page_id, tree, title_words, words)
  select p.id, new_tree, w.title_words, w.words
  from unnest(ids, new_ids) as n (id, new_id)
  join wiki_pages p on p.organization_id = organization and p.id = n.new_id
  join wiki_pages original on original.organization_id = organization and original.id = n.id
  join wiki_page_words w on w.page_id = n.id
  where organization = current_setting('sortie.organization', true);
end;
