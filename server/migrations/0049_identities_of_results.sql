-- Imports look results up by identity, a batch at a time. With the engagement in front, the index was not taken: of an
-- engagement that Postgres has no statistics of yet it expects a row or two, and reads all of them through any smaller index.
alter table results drop constraint results_organization_id_engagement_id_identity_key;
alter table results add constraint results_identity unique (identity, engagement_id);

-- Statistics for the first large import of an instance, before the database gets to it by itself, which takes a minute: until
-- then it reads the whole table for each batch.
create function analyze_results() returns void
language plpgsql security definer set search_path from current as $$
begin
  analyze results, observations;
end $$;

-- The same columns as those of a constraint: written for each result, and never needed.
drop index results_created;
