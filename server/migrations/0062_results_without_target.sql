-- What belongs to no target is looked for by itself (`targetId=none`, `verdict=unknown`), and is rare among a million.
create index results_without_target on results (organization_id, engagement_id, id) where target_id is null;
