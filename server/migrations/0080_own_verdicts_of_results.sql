-- A result whose place the scope rules judge otherwise than its target, such as a URL in scope of a host that is not, or one
-- without a target, has a verdict of its own. Null: that of its target.
alter table results add column own_verdict text collate "C" check (own_verdict in ('in', 'out', 'caution', 'unknown'));

-- Few have one: those are found by it, and judged anew when the rules change.
create index results_own_verdict on results (organization_id, engagement_id, own_verdict, id) where own_verdict is not null;
