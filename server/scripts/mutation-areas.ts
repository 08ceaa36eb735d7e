/** What `npm run mutate` may change, and the tests that must notice. Globs from the root. */
interface Area {
  files: string[]
  tests: string[]
}

const feature = (name: string, files = '*'): Area => ({
  files: [`server/src/features/${name}/${files}.ts`],
  tests: [`server/src/features/${name}/*.test.ts`],
})

const file = (path: string, ...tests: string[]): Area => ({
  files: [`server/src/${path}.ts`],
  tests: [`server/src/${path}.test.ts`, ...tests],
})

export const areas: Record<string, Area> = {
  access: {
    files: ['server/src/http/authorize.ts', 'server/src/features/people/api-keys/keep-to-group.ts'],
    tests: [
      'server/test/{access,rate-limit}.test.ts',
      'server/src/features/people/api-keys/{api-keys,reach,limited-callers}.test.ts',
    ],
  },
  tenants: {
    files: ['server/src/features/people/organizations/member-queries.ts'],
    tests: ['server/src/features/people/organizations/{*-member*,invitations}.test.ts'],
  },
  quotas: {
    files: ['server/src/features/fleet/devices/{run-batch,batch-plan}.ts'],
    tests: [
      'server/src/features/fleet/devices/{batch-*,pending-devices,tenant-quota}.test.ts',
      'server/src/features/fleet/jobs/register-job.test.ts',
    ],
  },
  sessions: {
    files: ['server/src/features/people/sessions/*.ts'],
    tests: [
      'server/src/features/people/{sessions/*,auth/{refresh-token,log-in,log-out,browser-session,password-reset}}.test.ts',
      'server/src/features/people/two-factor/second-factor-limits.test.ts',
      'server/src/features/people/organizations/security.test.ts',
      'server/test/rate-limit.test.ts',
    ],
  },
  'two-factor': feature('people/two-factor'),
  sealing: {
    files: ['server/src/features/operation/sealing/*.ts'],
    // `proof.test.ts` starts the service ten times.
    tests: ['server/src/features/operation/sealing/{unlock-secrets,seal-again}.test.ts'],
  },
  decoders: {
    files: ['server/src/sensors/{decode,reassembly}.ts', 'server/src/sensors/types/*.ts'],
    tests: ['server/src/sensors/{*,explanation/*,settings/*}.test.ts'],
  },
  'signal-bars': {
    files: ['server/src/uplinks/read/uplink-record.ts'],
    tests: ['server/src/uplinks/read/list-device-uplinks.test.ts'],
  },
  timestamps: file('http/timestamps'),
  pagination: file('http/pages'),
  config: {
    files: ['server/src/{config,settings}.ts'],
    tests: ['server/src/config.test.ts'],
  },
  csv: file('http/csv', 'server/test/csv-mark.test.ts'),
  'rate-limits': file('http/rate-limit'),
  idempotency: {
    files: ['server/src/http/idempotency.ts', 'server/src/features/operation/idempotency/*.ts'],
    tests: ['server/src/http/idempotency.test.ts'],
  },
  'codec-limits': {
    files: ['server/src/sensors/codecs/{breaker,codec-results,fair-queue}.ts'],
    tests: ['server/src/sensors/codecs/{breaker,codec-results,fair-queue}.test.ts'],
  },
  dedup: {
    files: ['server/src/uplinks/store/key-queries.ts'],
    tests: [
      'server/src/uplinks/store/{key-queries,store-uplinks,ingest-queue,uplink-in-two-forms}.test.ts',
      'server/src/uplinks/brokers/subscriptions.test.ts',
    ],
  },
  ordinals: {
    files: ['server/src/uplinks/store/writer-queries.ts'],
    tests: [
      'server/src/uplinks/store/{store-uplinks,ingest-queue,ingest-neighbours,device-state,gateway-tally,uplink-in-two-forms}.test.ts',
      'server/src/uplinks/read/list-all-uplinks.test.ts',
    ],
  },
  retention: {
    files: ['server/src/uplinks/store/{retention,retention-queries}.ts'],
    tests: ['server/src/uplinks/store/retention.test.ts'],
  },
  quarantine: {
    files: ['server/src/uplinks/store/{quarantine,quarantine-queries}.ts'],
    tests: [
      'server/src/uplinks/{quarantine/*,store/{quarantine,quarantine-bounds,unstorable-messages},receive/retention}.test.ts',
    ],
  },
  downlinks: {
    files: ['server/src/features/downlinks/{downlink-states,ledger,cancellation}.ts'],
    tests: [
      'server/src/features/downlinks/{ledger,deleted-device,cancel-downlink,send-raw-downlink,sender,stack-queue}.test.ts',
    ],
  },
  attempts: file('features/accounts/connections/attempts'),
  billing: feature('people/billing'),
  outbox: {
    files: ['server/src/features/accounts/provisioning/{outbox-queries,provisioner}.ts'],
    tests: [
      'server/src/features/accounts/provisioning/{provisioner,item-errors,lanes,provisioner-outage,provisioner-crash}.test.ts',
      'server/src/features/fleet/gateways/gateway-provisioning.test.ts',
      'server/src/features/accounts/reconciliation/key-differences.test.ts',
      'server/src/features/fleet/{devices/{delete-device,pending-devices},moves/move-device}.test.ts',
    ],
  },
  webhooks: file('features/outgoing/webhooks/settlement'),
  alerts: feature('outgoing/alerts', '{readings,silence-queries,retention-queries}'),
  moves: {
    files: [
      'server/src/features/fleet/moves/{advance-move,move-queries,move-step-queries,moves}.ts',
    ],
    tests: [
      'server/src/features/fleet/moves/{move-device,by-hand-moves,changes-during-moves}.test.ts',
    ],
  },
  reconcile: file('features/accounts/reconciliation/difference'),
  console: {
    files: [
      'console/src/condition/conditions.ts',
      'console/src/pages/devices/bulk/name-pattern.ts',
      'console/src/pages/registration/import/{convert-row,import-fields}.ts',
      'server/src/lora/device-file/columns.ts',
    ],
    tests: ['console/test/{device-words,import-rows,label,label-properties}.test.ts'],
  },
}
