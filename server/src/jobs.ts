import { analyzeGrownTables } from './db/table-statistics.ts'
import { freeDeadClaims } from './features/accounts/connections/lane-queries.ts'
import { careForCallbacks } from './features/accounts/network-accounts/callback-care.ts'
import { withdrawDue } from './features/accounts/network-accounts/callback-withdrawal.ts'
import { removeOldWithdrawals } from './features/accounts/network-accounts/withdrawal-queries.ts'
import { compareDue } from './features/accounts/reconciliation/schedule.ts'
import { closeExpired } from './features/downlinks/expiry.ts'
import { closeUnanswered } from './features/downlinks/missing-downlinks.ts'
import { lookAtOldQueues } from './features/downlinks/queue-checks.ts'
import { removeOldDownlinks } from './features/downlinks/retention-queries.ts'
import { noteGatewayHours } from './features/fleet/gateways/gateway-hours.ts'
import { removeOldOutages } from './features/fleet/gateways/outage-queries.ts'
import { learnRhythms } from './features/fleet/inventory/learn-rhythms.ts'
import {
  removeDeviceTombstones,
  removeGatewayTombstones,
} from './features/fleet/inventory/tombstone-queries.ts'
import { removeOldJobs } from './features/fleet/jobs/retention.ts'
import { removeOldMoves } from './features/fleet/moves/retention-queries.ts'
import { freeStrandedMoves, workMoves } from './features/fleet/moves/work-moves.ts'
import { removeOldDashboards } from './features/insight/dashboards/dashboard-queries.ts'
import { removeOldLinks } from './features/insight/links/link-queries.ts'
import { removeOldKeys } from './features/operation/idempotency/answer-store.ts'
import { removeOldAlerts } from './features/outgoing/alerts/retention.ts'
import { removeOldDeliveries } from './features/outgoing/webhooks/retention.ts'
import { chainActivities } from './features/people/activity/chain-activities.ts'
import { removeOldActivities } from './features/people/activity/remove-old-activities.ts'
import { tellSyslog } from './features/people/activity/tell-syslog.ts'
import { removeOldResets } from './features/people/auth/reset-queries.ts'
import { removeOldSubscriptions } from './features/people/billing/subscription-queries.ts'
import { removeOldDeletions } from './features/people/child-organizations/deletion-queries.ts'
import { workDeletions } from './features/people/child-organizations/work-deletions.ts'
import { removeExpiredInvitations } from './features/people/organizations/invite.ts'
import { removeOldCounts } from './features/people/sessions/login-limit-queries.ts'
import { removeOldSessions } from './features/people/sessions/sessions.ts'
import { removeOldSetups } from './features/people/two-factor/two-factor-queries.ts'
import type { Services } from './services.ts'
import { storeReleased } from './uplinks/receive/released-uplinks.ts'
import { removeOldMessages } from './uplinks/receive/retention.ts'
import { rollUp } from './uplinks/rollups/roll-up.ts'
import { decodeAgain } from './uplinks/store/decode-again.ts'
import { removeOldUplinks } from './uplinks/store/retention.ts'

/**
 * Background work: a name, how often in seconds, and what is done. What may take
 * longer than a stop allows asks `isStopped`.
 */
type Job = readonly [
  string,
  number,
  (services: Services, isStopped: () => boolean) => Promise<void>,
]

/** Every job is safe to run in several server processes at once. */
export const jobs: readonly Job[] = [
  ['free claims of dead processes', 2, ({ db }) => freeDeadClaims(db)],
  ['analyse tables that have grown', 2, analyzeGrownTables],
  ['tell the networks', 2, async ({ provisioner }) => provisioner.wake()],
  ['send downlinks', 2, async ({ downlinkSender }) => downlinkSender.wake()],
  ['look at the queues of downlinks', 2, async ({ queueChecks }) => queueChecks.wake()],
  ['close expired downlinks', 5, ({ db, now }) => closeExpired(db, now())],
  ['look at old queues of downlinks', 600, lookAtOldQueues],
  ['move devices between networks', 2, workMoves],
  ['go on with stranded moves', 300, freeStrandedMoves],
  ['work jobs', 2, async ({ jobRunner }) => jobRunner.wake()],
  ['send webhooks', 0.3, async ({ webhookSender }) => webhookSender.wake()],
  ['look after alerts', 2, async ({ alertWatcher }) => alertWatcher.wake()],
  ['mail alerts', 5, async ({ alertMessages }) => alertMessages.wake()],
  ['send reports', 30, async ({ reportSender }) => reportSender.wake()],
  ['store released uplinks', 5, storeReleased],
  ['compare with the networks', 10, compareDue],
  ['look after callbacks', 10, careForCallbacks],
  ['take callbacks away', 10, withdrawDue],
  ['learn how often devices send', 10, learnRhythms],
  ['note the hours of gateways', 30, ({ db, now }) => noteGatewayHours(db, now())],
  ['note the outages of gateways', 30, ({ outageWatch }) => outageWatch.look()],
  ['remove old outages', 3600, ({ db, now }) => removeOldOutages(db, now())],
  ['close unanswered downlinks', 3600, ({ db, now }) => closeUnanswered(db, now())],
  ['remove old sessions', 3600, ({ db, now }) => removeOldSessions(db, now())],
  ['remove old two-factor set-ups', 3600, ({ db, now }) => removeOldSetups(db, now())],
  ['remove old password resets', 3600, ({ db, now }) => removeOldResets(db, now())],
  ['remove old invitations', 3600, ({ db, now }) => removeExpiredInvitations(db, now())],
  ['remove old jobs', 3600, removeOldJobs],
  ['remove old keys', 3600, ({ db, now }, isStopped) => removeOldKeys(db, now(), isStopped)],
  ['remove old counts', 600, ({ db, now }) => removeOldCounts(db, now())],
  ['chain activities', 2, chainActivities],
  ['send activities to syslog', 2, tellSyslog],
  ['remove old activities', 3600, (all, isStopped) => removeOldActivities(all, { isStopped })],
  [
    'remove old messages',
    3600,
    ({ db, now }, isStopped) => removeOldMessages(db, now(), { isStopped }),
  ],
  ['remove old deliveries', 600, removeOldDeliveries],
  ['remove old alerts', 3600, removeOldAlerts],
  ['remove old dashboards', 3600, ({ db, now }) => removeOldDashboards(db, now())],
  ['remove old links', 3600, ({ db, now }) => removeOldLinks(db, now())],
  [
    'remove old downlinks',
    3600,
    ({ db, now }, isStopped) => removeOldDownlinks(db, now(), isStopped),
  ],
  ['remove old withdrawals', 3600, ({ db, now }) => removeOldWithdrawals(db, now())],
  ['remove old subscriptions', 3600, ({ db, now }) => removeOldSubscriptions(db, now())],
  ['remove old deletions', 3600, ({ db, now }) => removeOldDeletions(db, now())],
  ['remove old moves', 3600, ({ db, now }) => removeOldMoves(db, now())],
  [
    'remove deleted devices',
    3600,
    ({ db, now }, isStopped) => removeDeviceTombstones(db, now(), isStopped),
  ],
  [
    'remove deleted gateways',
    3600,
    ({ db, now }, isStopped) => removeGatewayTombstones(db, now(), isStopped),
  ],
  ['decode again', 2, decodeAgain],
  ['roll up measurements', 2, ({ db }) => rollUp(db)],
  ['delete organizations', 2, (services) => workDeletions(services)],
  ['remove old uplinks', 5, ({ db }) => removeOldUplinks(db)],
]

/** Milliseconds; a run that finds nothing to do is no trace. */
const leastRun = 20

/** Runs each job at its interval, one run of it at a time; a failure is logged and tried again. */
export function startJobs(services: Services): { stop(): Promise<void> } {
  const running = new Set<Promise<void>>()
  let isOver = false
  const isStopped = () => isOver
  const timers = jobs.map(([name, seconds, run]) => {
    let isRunning = false
    return setInterval(() => {
      if (isRunning) return
      isRunning = true
      const work = services.tracer
        .run({ name: `job ${name}`, least: leastRun }, () => run(services, isStopped))
        .catch((error) => services.log.warn({ err: error, job: name }, 'job failed'))
        .finally(() => {
          isRunning = false
          running.delete(work)
        })
      running.add(work)
    }, seconds * 1000)
  })
  return {
    async stop() {
      isOver = true
      for (const timer of timers) clearInterval(timer)
      await Promise.allSettled(running)
    },
  }
}
