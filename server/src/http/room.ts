/** Whose share something uses: its organization's, within that of the tenant. */
export interface ShareUser {
  organizationId: number
  /** The tenant. */
  tenantId: number
}

/** Room that tenants share, and in each of them its organizations. */
export interface Room {
  /** The part of its room that an organization has taken: 0 is none, 1 is all. */
  partOf(user: ShareUser): number
  /** Takes that much, or gives it back with a negative amount. */
  change(user: ShareUser, amount: number): void
  /** What all have taken. */
  taken(): number
}

interface TenantPart {
  taken: number
  organizations: Map<number, number>
}

/** The organizations of one tenant together may take this times what one of them may take. */
const stretch = 1.75

/**
 * A tenant may take at most as much as it leaves free, and so does an organization of what its tenant
 * may take: there is always some room for others. Without others, an organization may take the whole
 * `capacity`; all together may take twice as much.
 */
export function createRoom(capacity: number): Room {
  const tenants = new Map<number, TenantPart>()
  let all = 0
  return {
    taken: () => all,
    partOf({ organizationId, tenantId }) {
      const tenant = tenants.get(tenantId)
      const ofTenant = tenant?.taken ?? 0
      const own = tenant?.organizations.get(organizationId) ?? 0
      const room = capacity - (all - ofTenant) / 2
      const ownRoom = room - (ofTenant - own) / 2
      if (room <= 0 || ownRoom <= 0) return 1
      return Math.max(own / ownRoom, ofTenant / (room * stretch))
    },
    change({ organizationId, tenantId }, amount) {
      const tenant = tenants.get(tenantId) ?? { taken: 0, organizations: new Map() }
      tenants.set(tenantId, tenant)
      const own = (tenant.organizations.get(organizationId) ?? 0) + amount
      if (own > 0) tenant.organizations.set(organizationId, own)
      else tenant.organizations.delete(organizationId)
      tenant.taken += amount
      all += amount
      if (tenant.organizations.size === 0) tenants.delete(tenantId)
    },
  }
}
