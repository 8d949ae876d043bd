-- Pages from any place of a large member list. Skipping half a million index entries takes a tenth of a second; instead the
-- list is cut into chunks of some two thousand neighbours, each with its counts, and a page is found by adding up counts and
-- skipping within one chunk.
--
-- A chunk begins at a place of the list's order (joined_at, user_id) and reaches to the beginning of the next. The first one
-- begins before everything, so every membership lies in exactly one. Chunks change in the transaction that changes their
-- memberships, and only after it has locked the organization's row: two such transactions never overlap, and one statement
-- of a reader sees counters, chunks and memberships of the same moment.
create table member_chunks (
  organization_id text collate "C" not null references organizations (id) on delete cascade,
  from_joined_at timestamptz(3) not null,
  from_user_id text collate "C" not null,
  owner_count integer not null default 0,
  admin_count integer not null default 0,
  plain_member_count integer not null default 0,
  primary key (organization_id, from_joined_at, from_user_id)
) with (fillfactor = 70);

-- Replaces a chunk that has grown too long by as many of the usual length as its memberships need.
create function split_member_chunk(chunk member_chunks) returns void language plpgsql as $$
declare
  chunk_length constant integer := 2048;
  end_joined_at timestamptz := 'infinity';
  end_user_id text := '';
begin
  select from_joined_at, from_user_id into end_joined_at, end_user_id from member_chunks
    where organization_id = chunk.organization_id and (from_joined_at, from_user_id) > (chunk.from_joined_at, chunk.from_user_id)
    order by from_joined_at, from_user_id limit 1;
  delete from member_chunks
    where organization_id = chunk.organization_id and from_joined_at = chunk.from_joined_at and from_user_id = chunk.from_user_id;
  insert into member_chunks
  select chunk.organization_id,
    case when place / chunk_length = 0 then chunk.from_joined_at else min(joined_at) filter (where place % chunk_length = 0) end,
    case when place / chunk_length = 0 then chunk.from_user_id else min(user_id) filter (where place % chunk_length = 0) end,
    count(*) filter (where role = 'owner'),
    count(*) filter (where role = 'admin'),
    count(*) filter (where role = 'member')
  from (
    select joined_at, user_id, role, row_number() over (order by joined_at, user_id) - 1 as place
    from memberships
    where organization_id = chunk.organization_id
      and (joined_at, user_id) >= (chunk.from_joined_at, chunk.from_user_id)
      and (joined_at, user_id) < (coalesce(end_joined_at, 'infinity'), coalesce(end_user_id, ''))
  ) numbered
  group by place / chunk_length;
end $$;

-- Counts are changed in two places now, always in this order: the organization's row, whose lock the rest relies on, then
-- the chunks.
create or replace function count_members() returns trigger language plpgsql as $$
declare
  chunk member_chunks;
begin
  if tg_op <> 'DELETE' then
    update organizations o set
      owner_count = owner_count + d.owners,
      admin_count = admin_count + d.admins,
      plain_member_count = plain_member_count + d.plain
    from (
      select organization_id,
        count(*) filter (where role = 'owner') as owners,
        count(*) filter (where role = 'admin') as admins,
        count(*) filter (where role = 'member') as plain
      from new_rows group by organization_id
    ) d where o.id = d.organization_id;
    insert into member_chunks (organization_id, from_joined_at, from_user_id)
      select distinct organization_id, '-infinity'::timestamptz, '' from new_rows
      on conflict do nothing;
    for chunk in
      update member_chunks c set
        owner_count = c.owner_count + d.owners,
        admin_count = c.admin_count + d.admins,
        plain_member_count = c.plain_member_count + d.plain
      from (
        select k.organization_id, k.from_joined_at, k.from_user_id,
          count(*) filter (where r.role = 'owner') as owners,
          count(*) filter (where r.role = 'admin') as admins,
          count(*) filter (where r.role = 'member') as plain
        from new_rows r cross join lateral (
          select * from member_chunks
          where organization_id = r.organization_id and (from_joined_at, from_user_id) <= (r.joined_at, r.user_id)
          order by from_joined_at desc, from_user_id desc limit 1
        ) k
        group by k.organization_id, k.from_joined_at, k.from_user_id
      ) d where (c.organization_id, c.from_joined_at, c.from_user_id) = (d.organization_id, d.from_joined_at, d.from_user_id)
      returning c.*
    loop
      if chunk.owner_count + chunk.admin_count + chunk.plain_member_count >= 4096 then
        perform split_member_chunk(chunk);
      end if;
    end loop;
  end if;
  if tg_op <> 'INSERT' then
    update organizations o set
      owner_count = owner_count - d.owners,
      admin_count = admin_count - d.admins,
      plain_member_count = plain_member_count - d.plain
    from (
      select organization_id,
        count(*) filter (where role = 'owner') as owners,
        count(*) filter (where role = 'admin') as admins,
        count(*) filter (where role = 'member') as plain
      from old_rows group by organization_id
    ) d where o.id = d.organization_id;
    for chunk in
      update member_chunks c set
        owner_count = c.owner_count - d.owners,
        admin_count = c.admin_count - d.admins,
        plain_member_count = c.plain_member_count - d.plain
      from (
        select k.organization_id, k.from_joined_at, k.from_user_id,
          count(*) filter (where r.role = 'owner') as owners,
          count(*) filter (where r.role = 'admin') as admins,
          count(*) filter (where r.role = 'member') as plain
        from old_rows r cross join lateral (
          select * from member_chunks
          where organization_id = r.organization_id and (from_joined_at, from_user_id) <= (r.joined_at, r.user_id)
          order by from_joined_at desc, from_user_id desc limit 1
        ) k
        group by k.organization_id, k.from_joined_at, k.from_user_id
      ) d where (c.organization_id, c.from_joined_at, c.from_user_id) = (d.organization_id, d.from_joined_at, d.from_user_id)
      returning c.*
    loop
      -- The chunk before it takes over an empty one's stretch; there is none before the first.
      if chunk.owner_count + chunk.admin_count + chunk.plain_member_count = 0 and chunk.from_joined_at > '-infinity' then
        delete from member_chunks
          where organization_id = chunk.organization_id and from_joined_at = chunk.from_joined_at and from_user_id = chunk.from_user_id;
      end if;
    end loop;
  end if;
  return null;
end $$;

create or replace function count_member_role() returns trigger language plpgsql as $$
declare
  owners constant integer := (new.role = 'owner')::integer - (old.role = 'owner')::integer;
  admins constant integer := (new.role = 'admin')::integer - (old.role = 'admin')::integer;
  plain constant integer := (new.role = 'member')::integer - (old.role = 'member')::integer;
begin
  update organizations set
    owner_count = owner_count + owners,
    admin_count = admin_count + admins,
    plain_member_count = plain_member_count + plain
  where id = new.organization_id;
  update member_chunks set
    owner_count = owner_count + owners,
    admin_count = admin_count + admins,
    plain_member_count = plain_member_count + plain
  where organization_id = new.organization_id and (from_joined_at, from_user_id) = (
    select from_joined_at, from_user_id from member_chunks
    where organization_id = new.organization_id and (from_joined_at, from_user_id) <= (new.joined_at, new.user_id)
    order by from_joined_at desc, from_user_id desc limit 1
  );
  return null;
end $$;

create function refuse_membership_move() returns trigger language plpgsql as $$
begin
  raise exception 'a membership keeps its organization, its person and the time of joining';
end $$;

create trigger memberships_stay before update of organization_id, user_id, joined_at on memberships
  for each row when ((old.organization_id, old.user_id, old.joined_at) is distinct from (new.organization_id, new.user_id, new.joined_at))
  execute function refuse_membership_move();

-- The memberships there are already.
insert into member_chunks
select organization_id, '-infinity'::timestamptz, '',
  count(*) filter (where role = 'owner'), count(*) filter (where role = 'admin'), count(*) filter (where role = 'member')
from memberships group by organization_id;
select split_member_chunk(c) from member_chunks c where owner_count + admin_count + plain_member_count >= 4096;
