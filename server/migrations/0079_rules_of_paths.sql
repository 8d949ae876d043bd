-- A rule for `https://example.com/admin/*` covers that path and everything below; until now it covered only a path of that very
-- name. The verdicts of URLs that such a rule denies are corrected here. A longer rule for the URL decides as before.
update target_verdicts v set verdict = 'out', scope_rule_id = r.id
from targets t, scope_rules r
where v.target_id = t.id and t.kind = 'url' and r.organization_id = t.organization_id and r.engagement_id = t.engagement_id
  and r.kind = 'url' and r.effect = 'deny' and r.pattern ~ '/(\*{1,2}|\.{3}|%E2%80%A6)$'
  and starts_with(split_part(t.canonical, '?', 1) || '/', regexp_replace(r.pattern, '(\*{1,2}|\.{3}|%E2%80%A6)$', ''))
  and not exists (select from scope_rules longer
    where longer.organization_id = t.organization_id and longer.engagement_id = t.engagement_id and longer.kind = 'url'
      and length(longer.pattern) >= length(r.pattern) and longer.id <> r.id and starts_with(t.canonical, longer.pattern));
