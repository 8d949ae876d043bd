/** Columns of a session, from `sessions s` and the tables of `sessionJoins`. */
export const SESSION_COLUMNS = `s.id, s.user_id, u.name, u.email, u.is_instance_admin, s.last_seen_at, s.expires_at, s.method, s.confirmed_at, m.role,
      coalesce(o.sso_enabled, false) as sso_enabled,
      case when o.require_two_factor and f.user_id is null then not exists (select 1 from passkeys p where p.user_id = s.user_id) else false end
        as lacks_second_factor`

/** @param organizationId the SQL expression for the request's organization */
export const sessionJoins = (organizationId: string) => `join users u on u.id = s.user_id
    left join memberships m on m.organization_id = ${organizationId} and m.user_id = s.user_id
    left join organizations o on o.id = m.organization_id
    left join second_factors f on f.user_id = s.user_id and f.confirmed_at is not null`
