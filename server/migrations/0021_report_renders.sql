-- Renders of reports and of single findings, and editions: what was delivered, which never changes.

create table report_renders (
  id text collate "C" primary key,
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  -- One of them.
  report_id text collate "C",
  finding_id text collate "C",
  format text collate "C" not null check (format in ('pdf', 'html', 'docx', 'markdown', 'json', 'sarif')),
  state text collate "C" not null default 'queued' check (state in ('queued', 'running', 'succeeded', 'failed')),
  -- [{level, message, where}]
  problems jsonb not null default '[]',
  -- Of a PDF.
  pages integer,
  -- The stored file, which has the same id; null without one.
  file_id text collate "C",
  file_name text,
  -- Bytes.
  size bigint,
  -- Hexadecimal.
  sha256 text collate "C",
  -- From the start of the render to its end.
  duration_ms integer,
  -- Redactions of the engagement when the render read its pictures: once there are more, its file is not given out.
  redactions integer not null default 0,
  work_id text collate "C",
  -- Null for an API key, which the audit log names.
  created_by text collate "C" references users (id),
  created_at timestamptz(3) not null,
  unique (organization_id, id),
  unique (organization_id, engagement_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  foreign key (organization_id, engagement_id, report_id) references reports (organization_id, engagement_id, id) on delete cascade,
  foreign key (organization_id, engagement_id, finding_id) references findings (organization_id, engagement_id, id) on delete cascade,
  check (num_nulls(report_id, finding_id) = 1)
);

create index report_renders_engagement on report_renders (organization_id, engagement_id, id);
create index report_renders_report on report_renders (organization_id, engagement_id, report_id) where report_id is not null;
create index report_renders_finding on report_renders (organization_id, engagement_id, finding_id) where finding_id is not null;
create index report_renders_created on report_renders (created_at);
create index report_renders_creator on report_renders (created_by);

-- A delivery under way. A row that is older than any delivery can take is one whose process died.
create table report_deliveries (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  report_id text collate "C" not null,
  token text collate "C" not null,
  started_at timestamptz(3) not null,
  primary key (organization_id, report_id),
  foreign key (organization_id, engagement_id, report_id) references reports (organization_id, engagement_id, id) on delete cascade
);

create index report_deliveries_report on report_deliveries (organization_id, engagement_id, report_id);

create table report_editions (
  id text collate "C" primary key,
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  report_id text collate "C" not null,
  number integer not null check (number > 0),
  note text not null default '',
  -- Built-in templates have no row, and a template can be deleted: no foreign key.
  template_id text collate "C" not null,
  template_version integer not null,
  -- Of the program that wrote the PDF.
  compiler_version text not null,
  approved_by text collate "C" references users (id),
  approved_at timestamptz(3),
  -- Subject of the certificate; null if its PDF file is not signed.
  signed_by text,
  -- A password opens its PDF file.
  encrypted boolean not null default false,
  -- Report-data as its files show it.
  data jsonb not null,
  -- Problems that were waived, with who did it and why.
  waivers jsonb not null default '[]',
  counted_bytes integer not null default 0,
  -- Null for an API key, which the audit log names.
  created_by text collate "C" references users (id),
  created_at timestamptz(3) not null,
  unique (organization_id, id),
  unique (organization_id, engagement_id, id),
  unique (report_id, number),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  -- A report with editions ends only with its engagement.
  foreign key (organization_id, engagement_id, report_id) references reports (organization_id, engagement_id, id) on delete cascade
);

create index report_editions_report on report_editions (organization_id, engagement_id, report_id, number);
create index report_editions_of_report on report_editions (organization_id, report_id, number);
create index report_editions_approver on report_editions (approved_by) where approved_by is not null;
create index report_editions_creator on report_editions (created_by);

create table report_edition_files (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  edition_id text collate "C" not null,
  format text collate "C" not null check (format in ('pdf', 'html', 'docx', 'markdown', 'json', 'sarif')),
  file_id text collate "C" not null,
  file_name text not null,
  -- Bytes.
  size bigint not null,
  -- Hexadecimal.
  sha256 text collate "C" not null,
  primary key (organization_id, edition_id, format),
  foreign key (organization_id, engagement_id, edition_id) references report_editions (organization_id, engagement_id, id) on delete cascade
);

create index report_edition_files_edition on report_edition_files (organization_id, engagement_id, edition_id);
-- Which edition a file is.
create index report_edition_files_sha256 on report_edition_files (organization_id, sha256);

create function keep_edition() returns trigger language plpgsql as $$
begin
  raise exception 'edition % was delivered: it does not change', coalesce(to_jsonb(old) ->> 'edition_id', to_jsonb(old) ->> 'id');
end $$;

create trigger keep_edition before update on report_editions for each row execute function keep_edition();
create trigger keep_edition before update on report_edition_files for each row execute function keep_edition();

create function count_report_edition() returns trigger language plpgsql as $$
begin
  new.counted_bytes := octet_length(new.data::text);
  return new;
end $$;

create trigger count_bytes before insert on report_editions for each row execute function count_report_edition();
create trigger bytes_added after insert on report_editions referencing new table as added
  for each statement execute function bytes_added();
create trigger bytes_gone after delete on report_editions referencing old table as gone
  for each statement execute function bytes_gone();

-- A render also ends with its report or its finding.
create function files_of_report_render_gone() returns trigger language plpgsql as $$
begin
  delete from files f using gone g
  where f.organization_id = g.organization_id and f.owner_type = 'report_render' and f.owner_id = g.id;
  return null;
end $$;

create trigger files_gone after delete on report_renders referencing old table as gone
  for each statement execute function files_of_report_render_gone();
