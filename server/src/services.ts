import { createPresence } from './db/presence.ts'
import { createSignals } from './db/signals.ts'
import { createWriteHealth, type WriteHealth } from './db/write-health.ts'
import { createConnections } from './features/accounts/connections/connections.ts'
import { createProvisioner } from './features/accounts/provisioning/provisioner.ts'
import { createDownlinkWriter } from './features/downlinks/downlink-writer.ts'
import { createQueueChecks } from './features/downlinks/queue-checks.ts'
import { createDownlinkSender } from './features/downlinks/sender.ts'
import {
  type CatalogueServices,
  createFolderCatalogue,
} from './features/fleet/catalogue/folder-catalogue.ts'
import { createTypeDecoder } from './features/fleet/device-types/type-codec.ts'
import { createOutageWatch, type OutageWatch } from './features/fleet/gateways/outage-watch.ts'
import { createJobRunner, type JobServicesWithRunner } from './features/fleet/jobs/job-runner.ts'
import { createKeptAnswers } from './features/insight/dashboards/kept-answers.ts'
import type { WidgetData } from './features/insight/dashboards/widget-data.ts'
import { createLinkGuard, type LinkServices } from './features/insight/links/link-guard.ts'
import {
  createMapSource,
  type MapServices,
  type MapStart,
} from './features/operation/map/map-source.ts'
import { createAlertMessages } from './features/outgoing/alerts/alert-messages.ts'
import { type AlertServices, createAlertWatcher } from './features/outgoing/alerts/watcher.ts'
import type { ChannelServices } from './features/outgoing/channels/channels.ts'
import type { LiveServices } from './features/outgoing/live/follow-events.ts'
import { createLiveHub } from './features/outgoing/live/hub.ts'
import { createReportSender } from './features/outgoing/reports/report-sender.ts'
import type { ReportServices } from './features/outgoing/reports/reports.ts'
import { createBrokerPoster } from './features/outgoing/webhooks/broker-poster.ts'
import { createPoster } from './features/outgoing/webhooks/post-message.ts'
import {
  createWebhookSender,
  type WebhookServices,
} from './features/outgoing/webhooks/webhook-sender.ts'
import type { AuditServices } from './features/people/activity/tell-syslog.ts'
import type { MailSettings } from './features/people/auth/mail-settings.ts'
import { type AuthServices, createResetMails } from './features/people/auth/reset-mails.ts'
import type { BillingServices } from './features/people/billing/plans.ts'
import { createProvider } from './features/people/sign-on/provider.ts'
import type { SignOnServices } from './features/people/sign-on/sign-on.ts'
import type { SignOnSettings } from './features/people/sign-on/sign-on-settings.ts'
import { createCodecPool } from './sensors/codecs/pool.ts'
import { noTraces } from './traces/tracer.ts'
import { createSubscriptions, type Subscriptions } from './uplinks/brokers/subscriptions.ts'
import { createDeviceEvents } from './uplinks/receive/device-events.ts'
import { createHeardAccounts } from './uplinks/receive/heard-accounts.ts'
import type { CallbackServices } from './uplinks/receive/receive-messages.ts'
import { createCallbackAccounts } from './uplinks/receive/senders.ts'
import { createIngestQueue } from './uplinks/store/ingest-queue.ts'

/** All services of the process. Made once, at start; handlers see the part that they name. */
export interface Services
  extends AlertServices,
    AuditServices,
    AuthServices,
    BillingServices,
    CallbackServices,
    CatalogueServices,
    ChannelServices,
    JobServicesWithRunner,
    LinkServices,
    LiveServices,
    MapServices,
    ReportServices,
    SignOnServices,
    WebhookServices {
  outageWatch: OutageWatch
  subscriptions: Subscriptions
  writeHealth: WriteHealth
}

/** What the process is started with. */
interface Given
  extends Omit<
      BillingServices,
      'signals' | 'presence' | 'codecs' | 'tracer' | 'isPasswordForOwnersOnly'
    >,
    Partial<Pick<Services, 'codecs' | 'tracer' | 'auditSyslog' | 'writeHealth'>> {
  /** The operator's mail server; undefined where there is none, and nothing is mailed. */
  mail?: MailSettings | undefined
  maps?: MapStart
  /** The operator's folder of catalogues. */
  catalogueDir?: string | undefined
  /** Undefined where people log in with passwords only. */
  signOn?: SignOnSettings | undefined
  sleep?(milliseconds: number): Promise<unknown>
}

export function createServices(start: Given): Services {
  const writeHealth = start.writeHealth ?? createWriteHealth(start.log)
  const given = {
    ...start,
    writeHealth,
    tracer: start.tracer ?? noTraces,
    isPasswordForOwnersOnly: start.signOn?.isPasswordForOwnersOnly ?? false,
  }
  const { ingestDb } = given
  const connections = createConnections({ ...given, db: ingestDb })
  const codecs = given.codecs ?? createCodecPool()
  const decoder = createTypeDecoder(ingestDb, codecs, given.sealer)
  const ingest = createIngestQueue({ ...given, db: ingestDb, decoder })
  const signals = createSignals(given.db)
  // On `ingestDb`, so that requests that wait for `db` do not delay signs of life.
  const presence = createPresence({ ...given, db: ingestDb })
  const toSend = { ...given, codecs, connections, signals, presence }
  const provisioner = createProvisioner(toSend)
  const downlinkWriter = createDownlinkWriter(toSend)
  const downlinkSender = createDownlinkSender({ ...toSend, downlinkWriter })
  const wake = () => {
    provisioner.wake()
    downlinkSender.wake()
  }
  const heardAccounts = createHeardAccounts({ ...given, wake })
  const storeDeviceEvent = createDeviceEvents(ingestDb)
  const queueChecks = createQueueChecks(toSend, downlinkSender.wake)
  const poster = createPoster(given)
  const brokerPoster = createBrokerPoster(given)
  const alertMessages = createAlertMessages({ ...given, presence, poster })
  const keptAnswers = createKeptAnswers<WidgetData>()
  const toWork = { ...toSend, provisioner, downlinkSender, downlinkWriter, queueChecks }
  return {
    ...toWork,
    ingest,
    jobRunner: createJobRunner(toWork),
    heardAccounts,
    storeDeviceEvent,
    callbackAccounts: createCallbackAccounts(ingestDb),
    resetMails: createResetMails(given),
    signOnProvider: start.signOn && createProvider(start.signOn, given),
    liveHub: createLiveHub(toSend),
    keptAnswers,
    linkGuard: createLinkGuard(),
    map: createMapSource(given.db, given.maps),
    catalogueFolder: createFolderCatalogue(given.catalogueDir, given.now),
    poster,
    brokerPoster,
    alertMessages,
    alertWatcher: createAlertWatcher(toSend, alertMessages, downlinkSender),
    outageWatch: createOutageWatch(start),
    reportSender: createReportSender({ ...given, presence, keptAnswers }),
    webhookSender: createWebhookSender({ ...toSend, poster, brokerPoster }),
    subscriptions: createSubscriptions({ ...toSend, ingest, heardAccounts, storeDeviceEvent }),
  }
}

/** Ends the work of the services, when no more requests come. The pools stay open. */
export async function closeServices(services: Services): Promise<void> {
  services.liveHub.close()
  await services.ingest.close()
  await services.jobRunner.close()
  await services.alertWatcher.close()
  await services.alertMessages.close()
  await services.reportSender.close()
  await services.webhookSender.close()
  await services.heardAccounts.close()
  await services.codecs.close()
  await services.provisioner.close()
  await services.downlinkSender.close()
  await services.queueChecks.close()
  await services.connections.close()
  await services.resetMails.close()
  await services.signOnProvider?.close()
  await services.presence.close()
  await services.tracer.close()
}
