-- A repository belongs to the organization, wherever its issues go: the column says so, since rows with an engagement_id are
-- removed with their engagement.
drop policy if exists visible_engagement on code_hosting_repositories;
alter table code_hosting_repositories rename column engagement_id to issues_engagement_id;
