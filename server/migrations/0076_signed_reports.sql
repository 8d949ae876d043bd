-- The certificate that an organization signs PDF files with; editions record who signed and whether a password opens their PDF file.

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

alter table report_editions
  -- Subject of the certificate; null if its PDF file is not signed.
  add column signed_by text,
  -- A password opens its PDF file.
  add column encrypted boolean not null default false;
