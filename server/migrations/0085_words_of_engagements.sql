-- The spelling check of reports accepts words of the organization and of the engagement: names of products and systems.
alter table engagements add column report_words text[] not null default '{}';
