-- Templates of reports with their versions and files, and the rules and the certificate of the organization for reports.

create table report_templates (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  -- Null: for reports of all clients.
  client_id text collate "C",
  name text collate names not null,
  description text not null default '',
  -- The newest one.
  version integer not null default 1 check (version > 0),
  -- The one that reports get; null until the first is published.
  published_version integer check (published_version <= version),
  -- Null for an API key, which the audit log names.
  created_by text collate "C" references users (id),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  searched text not null generated always as (lower(name collate names)) stored,
  unique (organization_id, id),
  foreign key (organization_id, client_id) references clients (organization_id, id) on delete cascade
);

create index report_templates_created on report_templates (organization_id, created_at, id);
create index report_templates_updated on report_templates (organization_id, updated_at, id);
create index report_templates_name on report_templates (organization_id, name, id);
create index report_templates_client on report_templates (organization_id, client_id) where client_id is not null;
create index report_templates_creator on report_templates (created_by);

create table report_template_versions (
  organization_id text collate "C" not null,
  template_id text collate "C" not null,
  version integer not null check (version > 0),
  settings jsonb not null default '{}',
  -- By language.
  sections jsonb not null default '{}',
  -- Sources by file name.
  typst jsonb not null default '{}',
  -- {fileId, fileName, size, sha256}; null without one.
  docx jsonb,
  logo jsonb,
  -- [{fileId, fileName, size, sha256, family}]
  fonts jsonb not null default '[]',
  -- From then on the row does not change.
  published_at timestamptz(3),
  counted_bytes integer not null default 0,
  created_at timestamptz(3) not null,
  primary key (organization_id, template_id, version),
  foreign key (organization_id, template_id) references report_templates (organization_id, id) on delete cascade
);

create function keep_published_template() returns trigger language plpgsql as $$
begin
  raise exception 'version % of template % is published: it does not change', old.version, old.template_id;
end $$;

create trigger keep_published before update on report_template_versions for each row
  when (old.published_at is not null) execute function keep_published_template();

create function count_report_template_version() returns trigger language plpgsql as $$
begin
  new.counted_bytes := octet_length(new.settings::text) + octet_length(new.sections::text) + octet_length(new.typst::text);
  return new;
end $$;

create trigger count_bytes before insert or update of settings, sections, typst on report_template_versions
  for each row execute function count_report_template_version();
create trigger bytes_added after insert on report_template_versions referencing new table as added
  for each statement execute function bytes_added();
create trigger bytes_changed after update on report_template_versions for each row
  when (old.counted_bytes <> new.counted_bytes) execute function bytes_changed();
create trigger bytes_gone after delete on report_template_versions referencing old table as gone
  for each statement execute function bytes_gone();

-- A template also ends with its client.
create function files_of_report_template_gone() returns trigger language plpgsql as $$
begin
  delete from files f using gone g
  where f.organization_id = g.organization_id and f.owner_type = 'report_template' and f.owner_id = g.id;
  return null;
end $$;

create trigger files_gone after delete on report_templates referencing old table as gone
  for each statement execute function files_of_report_template_gone();

-- Rules of an organization for its reports and their findings.
create table report_settings (
  organization_id text collate "C" primary key references organizations (id),
  four_eyes boolean not null default false,
  -- BCP 47; used if neither the request nor the client names a language.
  language text collate "C" not null default 'en',
  -- Built-in templates have no row: no foreign key. Null: the built-in one for the kind of a report.
  default_template_id text collate "C",
  -- By severity; what is left out has the name in the language of the report, and the color of the product.
  severity_names jsonb not null default '{}',
  severity_colors jsonb not null default '{}',
  file_name_pattern text not null default '{client} {title} {version}',
  -- Words that the spelling check accepts.
  words text[] not null default '{}',
  updated_at timestamptz(3) not null
);

-- The certificate that an organization signs PDF files with.
create table report_certificates (
  organization_id text collate "C" primary key references organizations (id),
  -- PKCS#12 and its passphrase, as JSON, sealed with AES-256-GCM by a key of SESSION_SECRET.
  sealed bytea not null,
  subject text not null,
  issuer text not null,
  -- SHA-256 of the certificate, in hexadecimal.
  sha256 text collate "C" not null,
  not_before timestamptz(3) not null,
  not_after timestamptz(3) not null,
  created_by text collate "C" references users (id),
  created_at timestamptz(3) not null
);

create index report_certificates_creator on report_certificates (created_by) where created_by is not null;
