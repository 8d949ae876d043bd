-- The scopes of findings and reports: a key can have twelve. Existing keys have none of the two.
alter table api_keys drop constraint api_keys_scopes_check,
  add constraint api_keys_scopes_check check (cardinality(scopes) between 1 and 12);
