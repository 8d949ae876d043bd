-- The status of an asset, or of a finding without assets, before a retest item set it: without its outcome, it is returned.

alter table retest_items
  add column status_before text collate "C" check (status_before in ('open', 'partly_fixed', 'fixed', 'not_reproducible', 'withdrawn'));
