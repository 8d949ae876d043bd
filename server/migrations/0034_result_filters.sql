-- Results are found by rule and weakness, so that a group of them can become one finding; and suggestions that a team dismissed.

-- Rules have up to 4,000 bytes, more than an index entry may have.
create index results_rule on results (organization_id, engagement_id, (hashtextextended(data ->> 'ruleId', 0)), id)
  where kind = 'vulnerability';

create table dismissed_suggestions (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  key text collate "C" not null,
  -- Null for an API key, which the audit log names.
  dismissed_by text collate "C" references users (id),
  dismissed_at timestamptz(3) not null,
  primary key (organization_id, engagement_id, key),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index dismissed_suggestions_by on dismissed_suggestions (dismissed_by);
