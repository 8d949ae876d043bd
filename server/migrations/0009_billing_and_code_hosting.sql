-- Webhooks of billing and code-hosting providers. The server stores a notification once before it acknowledges it, and
-- applies it in a job. Only links that an administrator stored here decide which organization a notification is about.

create table billing_customers (
  -- A customer pays for exactly one organization.
  organization_id text collate "C" primary key references organizations (id),
  customer_id text collate "C" not null constraint billing_customers_customer unique,
  linked_at timestamptz(3) not null
);

create table billing_products (
  id text collate "C" primary key,
  name text not null,
  -- Version of the row: the event that it comes from. Events within the same second of the provider are ordered by id.
  event_at timestamptz(3) not null,
  event_id text collate "C" not null
);

create table billing_subscriptions (
  organization_id text collate "C" not null references billing_customers (organization_id) on delete cascade,
  id text collate "C" not null,
  status text collate "C" not null,
  product_id text collate "C",
  -- Name of the price, shown while the name of the product is unknown.
  price_name text,
  started_at timestamptz(3),
  period_end timestamptz(3),
  cancels_at_period_end boolean not null,
  -- Version of the row, as in billing_products. event_rank is the event's place in the life of a subscription and comes
  -- before the id.
  event_at timestamptz(3) not null,
  event_rank smallint not null,
  event_id text collate "C" not null,
  primary key (organization_id, id)
);

create index billing_subscriptions_product on billing_subscriptions (product_id);

create table billing_events (
  -- The provider's id: it detects a replay.
  id text collate "C" primary key,
  type text not null,
  customer_id text collate "C",
  -- By the provider's clock; null if the notification has no time.
  event_at timestamptz(3),
  -- Only the fields that can be applied.
  data jsonb,
  received_at timestamptz(3) not null,
  -- Null until its job has run.
  outcome text collate "C" check (outcome in ('applied', 'superseded', 'not-used', 'unknown-customer', 'unreadable')),
  -- The organization that the customer was linked to when the event was applied.
  organization_id text collate "C" references organizations (id)
);

create index billing_events_organization on billing_events (organization_id, received_at desc, id desc);
create index billing_events_unknown on billing_events (customer_id) where outcome = 'unknown-customer';
create index billing_events_received on billing_events (received_at);

create table code_hosting_repositories (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  -- owner/name as entered, and the key by which two spellings are the same repository.
  full_name text not null,
  name_key text collate "C" not null,
  requested_by text collate "C" not null references users (id),
  requested_at timestamptz(3) not null,
  -- Null until an instance administrator confirms that the repository belongs to the organization. Nothing of it is shown
  -- before.
  confirmed_at timestamptz(3),
  -- Issues of the repository become tasks of this engagement. Not called engagement_id, because rows with such a column are
  -- deleted with their engagement, and the repository belongs to the organization.
  issues_engagement_id text collate "C",
  unique (organization_id, id),
  constraint code_hosting_repositories_name unique (organization_id, name_key),
  foreign key (organization_id, issues_engagement_id) references engagements (organization_id, id) on delete set null (issues_engagement_id)
);

create unique index code_hosting_repositories_one_organization on code_hosting_repositories (name_key) where confirmed_at is not null;
create index code_hosting_repositories_requester on code_hosting_repositories (requested_by);
create index code_hosting_repositories_engagement on code_hosting_repositories (organization_id, issues_engagement_id) where issues_engagement_id is not null;

create table code_hosting_deliveries (
  id text collate "C" primary key,
  -- The provider signs the body but not the id: a delivery is a replay if either is known.
  delivery_id text collate "C" constraint code_hosting_deliveries_id unique,
  body_digest bytea not null constraint code_hosting_deliveries_digest unique,
  -- The organization that the repository was connected to on arrival. Null: visible only to instance administrators.
  organization_id text collate "C" references organizations (id),
  event text not null,
  action text,
  repository text,
  -- The body as JSON text; removed after 90 days. Id and digest stay, because nothing else detects a replay: deliveries have
  -- no signed time.
  payload bytea,
  received_at timestamptz(3) not null
);

create index code_hosting_deliveries_newest on code_hosting_deliveries (organization_id, id desc);
create index code_hosting_deliveries_payload on code_hosting_deliveries (received_at) where payload is not null;
