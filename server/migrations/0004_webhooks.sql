-- What payment and code-hosting providers tell the server. A notification is stored once before it is acknowledged; what
-- follows from it is a job. Which organization it concerns is only ever read from what an administrator stored here.

create table billing_customers (
  -- One customer pays for an organization, and for one only.
  organization_id text collate "C" primary key references organizations (id),
  customer_id text collate "C" not null constraint billing_customers_customer unique,
  linked_at timestamptz(3) not null
);

create table billing_products (
  id text collate "C" primary key,
  name text not null,
  -- Version of the row: the event that it is of. Ties within the provider's second are broken by id.
  event_at timestamptz(3) not null,
  event_id text collate "C" not null
);

create table billing_subscriptions (
  organization_id text collate "C" not null references billing_customers (organization_id) on delete cascade,
  id text collate "C" not null,
  status text collate "C" not null,
  product_id text collate "C",
  -- Name of the price: stands in while the product's name is not known.
  price_name text,
  started_at timestamptz(3),
  period_end timestamptz(3),
  cancels_at_period_end boolean not null,
  -- Version of the row, as in billing_products; between the two the place of the event in a subscription's life.
  event_at timestamptz(3) not null,
  event_rank smallint not null,
  event_id text collate "C" not null,
  primary key (organization_id, id)
);

create index billing_subscriptions_product on billing_subscriptions (product_id);

create table billing_events (
  -- The provider's own id: a replay finds it taken.
  id text collate "C" primary key,
  type text not null,
  customer_id text collate "C",
  -- When it happened, by the provider's clock; null where the notification does not say.
  event_at timestamptz(3),
  -- The fields that can be applied; nothing else of the notification is kept.
  data jsonb,
  received_at timestamptz(3) not null,
  -- Null until its job ran.
  outcome text collate "C" check (outcome in ('applied', 'superseded', 'not-used', 'unknown-customer', 'unreadable')),
  -- The organization that the customer was linked to when it was applied.
  organization_id text collate "C" references organizations (id)
);

create index billing_events_organization on billing_events (organization_id, received_at desc, id desc);
create index billing_events_unknown on billing_events (customer_id) where outcome = 'unknown-customer';
create index billing_events_received on billing_events (received_at);

create table code_hosting_repositories (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  -- owner/name as it was typed, and the form in which two spellings are the same repository.
  full_name text not null,
  name_key text collate "C" not null,
  requested_by text collate "C" not null references users (id),
  requested_at timestamptz(3) not null,
  -- Null until an instance administrator confirmed that the repository is the organization's: until then nothing of it
  -- is shown.
  confirmed_at timestamptz(3),
  unique (organization_id, id),
  constraint code_hosting_repositories_name unique (organization_id, name_key)
);

create unique index code_hosting_repositories_one_organization on code_hosting_repositories (name_key) where confirmed_at is not null;
create index code_hosting_repositories_requester on code_hosting_repositories (requested_by);

create table code_hosting_deliveries (
  id text collate "C" primary key,
  -- The id is not signed, the body is: either of them seen before makes a delivery a replay.
  delivery_id text collate "C" constraint code_hosting_deliveries_id unique,
  body_digest bytea not null constraint code_hosting_deliveries_digest unique,
  -- The organization that the repository was connected to when it arrived; null: for instance administrators only.
  organization_id text collate "C" references organizations (id),
  event text not null,
  action text,
  repository text,
  -- The body as JSON text; removed after 90 days. Id and digest stay: they alone tell a replay, since no time is signed.
  payload bytea,
  received_at timestamptz(3) not null
);

create index code_hosting_deliveries_newest on code_hosting_deliveries (organization_id, id desc);
create index code_hosting_deliveries_payload on code_hosting_deliveries (received_at) where payload is not null;
