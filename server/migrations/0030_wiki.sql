-- Wiki pages of engagements and of the organization, their history, their links, and the words they are found by.

create table wiki_pages (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  -- Null: the page belongs to the organization. It never changes.
  engagement_id text collate "C",
  parent_id text collate "C",
  title text collate names not null,
  -- The title as links name it: without regard to case.
  title_key text collate "C" not null,
  -- Order key among the pages with the same parent, those in the trash counted.
  position text collate "C" not null check (octet_length(position) <= 400),
  -- Of the text; its row in wiki_revisions has it.
  revision integer not null check (revision > 0),
  is_template boolean not null default false,
  -- Null for a key: the audit log names it.
  created_by text collate "C" references users (id),
  updated_by text collate "C" references users (id),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  trashed_at timestamptz(3),
  -- The page whose deletion took this one with it: restoring that one brings this one back.
  trashed_with text collate "C",
  check ((trashed_at is null) = (trashed_with is null)),
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

-- Every text that a page had. Saves of one person shortly after each other are joined to one entry of the history; the texts
-- in between are kept for some days, so that what others type on their basis can be merged.
create table wiki_revisions (
  organization_id text collate "C" not null,
  engagement_id text collate "C",
  page_id text collate "C" not null,
  revision integer not null,
  body text not null,
  -- Bytes of the text in UTF-8.
  size integer not null,
  author text collate "C" references users (id),
  created_at timestamptz(3) not null,
  -- When the first save of its entry was made.
  entry_since timestamptz(3) not null,
  -- When the next revision came; null for the current one.
  superseded_at timestamptz(3),
  -- The next revision belongs to the same entry: this one is not part of the history.
  is_joined boolean not null default false,
  primary key (organization_id, page_id, revision),
  foreign key (organization_id, page_id) references wiki_pages (organization_id, id) on delete cascade,
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index wiki_revisions_engagement on wiki_revisions (organization_id, engagement_id);
create index wiki_revisions_joined on wiki_revisions (superseded_at) where is_joined;
create index wiki_revisions_author on wiki_revisions (author);

-- What each page refers to.
create table wiki_links (
  organization_id text collate "C" not null,
  engagement_id text collate "C",
  page_id text collate "C" not null,
  -- The id that the text names, or the title, without regard to case.
  reference text collate "C" not null,
  -- What it names, kept so that a new title breaks nothing; null where nothing has that title yet.
  target_id text collate "C",
  primary key (organization_id, page_id, reference),
  foreign key (organization_id, page_id) references wiki_pages (organization_id, id) on delete cascade,
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index wiki_links_engagement on wiki_links (organization_id, engagement_id);
create index wiki_links_target on wiki_links (organization_id, target_id);
create index wiki_links_open on wiki_links (organization_id, reference) where target_id is null;

-- The words by which pages are found. Operators of full text are not leakproof: under row-level security Postgres does not
-- use their index. So this table has no column that makes a policy, and is read by find_pages alone (decision 40).
create table wiki_page_words (
  page_id text collate "C" primary key references wiki_pages (id) on delete cascade,
  -- The engagement, else the organization; null while the page is in the trash.
  tree text collate "C",
  title_words tsvector not null,
  -- Of title and text; and the organization's id behind a sign that no word has, so that the index alone leaves out the pages of others.
  words tsvector not null
);

create index wiki_page_words_words on wiki_page_words using gin (words) with (fastupdate = off);

-- The newest pages, at most `max`, that have all the words and that the viewer sees; of one tree, unless it is null. Of no
-- other organization than the one in whose scope it is called.
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

-- Texts as they are searched: words in lower case without accents, each behind one space (the same as words.ts makes).
create function search_text(value text) returns text
language sql immutable strict parallel safe
return ' ' || regexp_replace(lower(regexp_replace(normalize(value, nfd), '[\u0300-\u036f]', '', 'g') collate names), '[^[:alnum:]]+', ' ', 'g');

alter table engagements add column search_text text generated always as
  (search_text(name || ' ' || client_name || ' ' || description)) stored;
