-- Filters of findings with the default sort, and the assets of one finding in their order, each answered by an index.

create index findings_state on findings (organization_id, engagement_id, state, position, id);
create index findings_status on findings (organization_id, engagement_id, status, position, id);
create index affected_assets_order on affected_assets (organization_id, finding_id, id);
create index affected_assets_status on affected_assets (organization_id, finding_id, status, id);
