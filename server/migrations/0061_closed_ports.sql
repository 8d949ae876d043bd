-- Of the ports that were looked at, those where nothing listens: what answered there does not any more. And the sites of a
-- source, whose findings may be at another host than the site.
alter table coverages add column closed int4multirange;

create index coverages_sites on coverages (organization_id, source_id, detail) where what = 'vulnerabilities' and detail is not null;
