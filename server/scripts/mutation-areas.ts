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
    files: ['server/src/http/authorize.ts', 'server/src/features/api-keys/keep-to-group.ts'],
    tests: [
      'server/test/{access,rate-limit}.test.ts',
      'server/src/features/api-keys/{api-keys,reach,limited-callers}.test.ts',
    ],
  },
  tenants: {
    files: ['server/src/features/organizations/member-queries.ts'],
    tests: ['server/src/features/organizations/*-member*.test.ts'],
  },
  quotas: {
    files: ['server/src/features/devices/{run-batch,batch-plan}.ts'],
    tests: [
      'server/src/features/devices/{batch-*,tenant-quota}.test.ts',
      'server/src/features/jobs/register-job.test.ts',
    ],
  },
  sessions: feature('sessions'),
  'two-factor': feature('two-factor'),
  sealing: feature('sealing'),
  decoders: {
    files: ['server/src/sensors/{decode,reassembly}.ts', 'server/src/sensors/types/*.ts'],
    tests: ['server/src/sensors/*.test.ts'],
  },
  'signal-bars': {
    files: ['server/src/features/uplinks/uplink-record.ts'],
    tests: ['server/src/features/uplinks/list-device-uplinks.test.ts'],
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
    files: ['server/src/http/idempotency.ts', 'server/src/features/idempotency/*.ts'],
    tests: ['server/src/http/idempotency.test.ts'],
  },
  'codec-limits': {
    files: ['server/src/sensors/codecs/{breaker,codec-results,fair-queue}.ts'],
    tests: ['server/src/sensors/codecs/{breaker,codec-results,fair-queue}.test.ts'],
  },
  dedup: {
    files: ['server/src/features/uplinks/key-queries.ts'],
    tests: [
      'server/src/features/uplinks/{key-queries,store-uplinks,ingest-queue,uplink-in-two-forms}.test.ts',
    ],
  },
  ordinals: {
    files: ['server/src/features/uplinks/{counter-queries,writer-queries}.ts'],
    tests: [
      'server/src/features/uplinks/{store-uplinks,ingest-queue,device-state,list-all-uplinks}.test.ts',
    ],
  },
  retention: {
    files: ['server/src/features/uplinks/{retention,retention-queries}.ts'],
    tests: ['server/src/features/uplinks/retention.test.ts'],
  },
  quarantine: {
    files: ['server/src/features/uplinks/{quarantine,quarantine-queries,overfull-queries}.ts'],
    tests: ['server/src/features/{quarantine/*,uplinks/quarantine-bounds}.test.ts'],
  },
  downlinks: {
    files: ['server/src/features/downlinks/{downlink-states,ledger,cancellation}.ts'],
    tests: [
      'server/src/features/downlinks/{ledger,deleted-device,cancel-downlink,send-raw-downlink,sender,stack-queue}.test.ts',
    ],
  },
  attempts: file('features/connections/attempts'),
  billing: feature('billing'),
  outbox: {
    files: ['server/src/features/provisioning/{outbox-queries,provisioner}.ts'],
    tests: [
      'server/src/features/provisioning/{provisioner,item-errors,lanes,provisioner-outage,provisioner-crash}.test.ts',
      'server/src/features/gateways/gateway-provisioning.test.ts',
      'server/src/features/reconciliation/key-differences.test.ts',
      'server/src/features/{devices/delete-device,moves/move-device}.test.ts',
    ],
  },
  webhooks: file('features/webhooks/settlement'),
  alerts: feature('alerts', '{readings,rhythm-queries,silence-queries,retention-queries}'),
  moves: {
    files: ['server/src/features/moves/{advance-move,move-queries,move-step-queries,moves}.ts'],
    tests: ['server/src/features/moves/{move-device,by-hand-moves,changes-during-moves}.test.ts'],
  },
  reconcile: file('features/reconciliation/difference'),
  console: {
    files: [
      'console/src/pages/devices/conditions.ts',
      'console/src/pages/devices/bulk/name-pattern.ts',
      'console/src/pages/work/import/{convert-row,import-fields}.ts',
      'server/src/lora/device-file/columns.ts',
    ],
    tests: ['console/test/{device-words,import-rows,label,label-properties}.test.ts'],
  },
}
