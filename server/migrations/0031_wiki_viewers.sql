-- Who has a page of the wiki open, as event streams say; a stream whose process died is not renewed, and counts no more.

create table wiki_viewers (
  -- Of the stream, made by the server.
  id text collate "C" primary key,
  organization_id text collate "C" not null,
  engagement_id text collate "C",
  page_id text collate "C" not null,
  user_id text collate "C" not null references users (id),
  seen_at timestamptz(3) not null,
  foreign key (organization_id, page_id) references wiki_pages (organization_id, id) on delete cascade,
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index wiki_viewers_page on wiki_viewers (organization_id, page_id);
create index wiki_viewers_engagement on wiki_viewers (organization_id, engagement_id);
create index wiki_viewers_user on wiki_viewers (user_id);
create index wiki_viewers_seen on wiki_viewers (seen_at);

-- The words of pages for their copies in the same organization: nothing but find_pages and this reads words.
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
