/**
 * Where the tables of a database that Citus distributes live (docs/scaling.md). What is not named
 * here stays on the coordinator: accounts of people and networks, outboxes, and what is claimed
 * across organizations.
 */

/** Distributed by `organization_id`: all rows of an organization are on one machine. */
export const distributedTables: readonly string[] = [
  'organization_counters',
  'gateways',
  'gateway_states',
  'gateway_hours',
  'gateway_outages',
  'devices',
  'device_states',
  'device_rhythms',
  'device_groups',
  'grouped_devices',
  'floor_plans',
  'plan_positions',
  'plan_gateways',
  'device_photos',
  'notes',
  'group_trees',
  'uplinks',
  'frame_memories',
  'rollup_cursors',
  'rollup_changes',
  'hourly_rollups',
  'daily_rollups',
  'daily_states',
  'decoding_runs',
  'downlinks',
  'downlink_history',
  'downlink_queues',
  'downlink_checks',
  'network_events',
  'quarantined_messages',
  'activities',
  'idempotency_keys',
  'webhooks',
  'webhook_deliveries',
  'webhook_attempts',
  'webhook_announcements',
  'alert_watches',
  'alert_rules',
  'alert_digests',
  'alerts',
  'alert_actions',
  'alert_mutes',
  'alert_messages',
]

/** Small, seldom written, and joined with those: each machine has a copy. */
export const referenceTables: readonly string[] = ['users', 'device_types', 'subscriptions']
