import { showChosenStatus, showLatestStatus } from '../features/fleet/devices/latest-status.ts'
import { batchGroups } from '../features/fleet/groups/batch-groups.ts'
import { getLiteGroup, listLiteGroups } from '../features/fleet/groups/lite-groups.ts'
import {
  changeAlertRule,
  createAlertRule,
  deleteAlertRule,
  listAlertRules,
  muteAlertRule,
  showAlertRule,
} from '../features/outgoing/alerts/alert-rules.ts'
import {
  acknowledgeAlert,
  acknowledgeAlerts,
  changeAlert,
  listAlerts,
  showAlert,
} from '../features/outgoing/alerts/alerts.ts'
import { muteDeviceAlerts, showDeviceAlerts } from '../features/outgoing/alerts/device-alerts.ts'
import { previewAlertRule } from '../features/outgoing/alerts/preview-rule.ts'
import { suggestRules } from '../features/outgoing/alerts/suggest-rules.ts'
import {
  changeAlertChannel,
  createAlertChannel,
  deleteAlertChannel,
  listAlertChannels,
  testAlertChannel,
} from '../features/outgoing/channels/channels.ts'
import {
  createPushSubscription,
  deletePushSubscription,
  listPushSubscriptions,
} from '../features/outgoing/channels/push-subscriptions.ts'
import {
  changeReport,
  createReport,
  deleteReport,
  listReports,
  sendReport,
  showReport,
} from '../features/outgoing/reports/reports.ts'
import { listWebhookDeliveries } from '../features/outgoing/webhooks/list-deliveries.ts'
import { listWebhookWaiting } from '../features/outgoing/webhooks/list-waiting.ts'
import { replayDelivery, replayWebhook } from '../features/outgoing/webhooks/replays.ts'
import { testWebhook } from '../features/outgoing/webhooks/test-webhook.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  pauseWebhook,
  resumeWebhook,
  rotateWebhookSecret,
  showWebhook,
} from '../features/outgoing/webhooks/webhooks.ts'
import {
  changeApiKey,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  showApiKey,
} from '../features/people/api-keys/api-keys.ts'
import { type Route, routesOf } from '../http/endpoint.ts'
import type { Services } from '../services.ts'

/** Webhooks, API keys and alerts, and what programs made for the original console call. */
// biome-ignore format: a table is read by its columns
export const integrationRoutes: readonly Route<Services>[] = [
  ...routesOf<Services>('Webhooks', [
    ['GET',    '/webhooks',                                  'signed-in',      'all', 'listWebhooks',          listWebhooks],
    ['POST',   '/webhooks',                                  'manage_account', 'all', 'createWebhook',         createWebhook],
    ['GET',    '/webhooks/:webhook_id',                      'signed-in',      'all', 'getWebhook',            showWebhook],
    ['PATCH',  '/webhooks/:webhook_id',                      'manage_account', 'all', 'updateWebhook',         changeWebhook],
    ['DELETE', '/webhooks/:webhook_id',                      'manage_account', 'all', 'deleteWebhook',         deleteWebhook],
    ['POST',   '/webhooks/:webhook_id/pause',                'manage_account', 'all', 'pauseWebhook',          pauseWebhook],
    ['POST',   '/webhooks/:webhook_id/resume',               'manage_account', 'all', 'resumeWebhook',         resumeWebhook],
    ['POST',   '/webhooks/:webhook_id/rotate',               'manage_account', 'all', 'rotateWebhookSecret',   rotateWebhookSecret],
    ['POST',   '/webhooks/:webhook_id/test',                 'manage_account', 'all', 'testWebhook',           testWebhook],
    ['POST',   '/webhooks/:webhook_id/replay',               'manage_account', 'all', 'replayWebhook',         replayWebhook],
    ['GET',    '/webhooks/:webhook_id/deliveries',           'signed-in',      'all', 'listWebhookDeliveries', listWebhookDeliveries],
    ['GET',    '/webhooks/:webhook_id/waiting',              'signed-in',      'all', 'listWebhookWaiting',    listWebhookWaiting],
    ['POST',   '/webhooks/:webhook_id/waiting/:delivery_id', 'manage_account', 'all', 'replayWebhookDelivery', replayDelivery],
  ]),
  ...routesOf<Services>('API keys', [
    ['GET',    '/api-keys',                'manage_account', 'person', 'listApiKeys',  listApiKeys],
    ['POST',   '/api-keys',                'manage_account', 'person', 'createApiKey', createApiKey],
    ['GET',    '/api-keys/:key_id',        'manage_account', 'person', 'getApiKey',    showApiKey],
    ['PATCH',  '/api-keys/:key_id',        'manage_account', 'person', 'updateApiKey', changeApiKey],
    ['DELETE', '/api-keys/:key_id',        'manage_account', 'person', 'revokeApiKey', revokeApiKey],
    ['POST',   '/api-keys/:key_id/rotate', 'manage_account', 'person', 'rotateApiKey', rotateApiKey],
  ]),
  ...routesOf<Services>('Alerts', [
    ['GET',    '/alerts',                         'signed-in',      'all',        'listAlerts',        listAlerts],
    ['POST',   '/alerts/acknowledge',             'manage_devices', 'all',        'acknowledgeAlerts', acknowledgeAlerts],
    ['GET',    '/alerts/:alert_id',               'signed-in',      'all',        'getAlert',          showAlert],
    ['PATCH',  '/alerts/:alert_id',               'manage_devices', 'all',        'updateAlert',       changeAlert],
    ['POST',   '/alerts/:alert_id/acknowledge',   'manage_devices', 'all',        'acknowledgeAlert',  acknowledgeAlert],
    ['GET',    '/devices/:device_id/alerts',      'signed-in',      'one device', 'getDeviceAlerts',   showDeviceAlerts],
    ['POST',   '/devices/:device_id/alerts/mute', 'manage_devices', 'one device', 'muteDeviceAlerts',  muteDeviceAlerts],
    ['GET',    '/alert-rules',                    'signed-in',      'all',        'listAlertRules',    listAlertRules],
    ['POST',   '/alert-rules',                    'manage_devices', 'all',        'createAlertRule',   createAlertRule],
    ['POST',   '/alert-rules/preview',            'manage_devices', 'all',        'previewAlertRule',  previewAlertRule],
    ['GET',    '/alert-rules/suggestions',        'signed-in',      'all',        'suggestAlertRules', suggestRules],
    ['GET',    '/alert-rules/:rule_id',           'signed-in',      'all',        'getAlertRule',      showAlertRule],
    ['PATCH',  '/alert-rules/:rule_id',           'manage_devices', 'all',        'updateAlertRule',   changeAlertRule],
    ['DELETE', '/alert-rules/:rule_id',           'manage_devices', 'all',        'deleteAlertRule',   deleteAlertRule],
    ['POST',   '/alert-rules/:rule_id/mute',      'manage_devices', 'all',        'muteAlertRule',     muteAlertRule],
    ['GET',    '/alert-channels',                 'signed-in',      'person',     'listAlertChannels', listAlertChannels],
    ['POST',   '/alert-channels',                 'signed-in',      'person',     'createAlertChannel', createAlertChannel],
    ['PATCH',  '/alert-channels/:channel_id',     'signed-in',      'person',     'updateAlertChannel', changeAlertChannel],
    ['DELETE', '/alert-channels/:channel_id',     'signed-in',      'person',     'deleteAlertChannel', deleteAlertChannel],
    ['POST',   '/alert-channels/:channel_id/test', 'signed-in',     'person',     'testAlertChannel',  testAlertChannel],
    ['GET',    '/push-subscriptions',             'signed-in',      'person',     'listPushSubscriptions', listPushSubscriptions],
    ['POST',   '/push-subscriptions',             'signed-in',      'person',     'createPushSubscription', createPushSubscription],
    ['DELETE', '/push-subscriptions/:subscription_id', 'signed-in', 'person',     'deletePushSubscription', deletePushSubscription],
  ]),
  ...routesOf<Services>('Reports', [
    ['GET',    '/reports',                 'signed-in',               'all', 'listReports',  listReports],
    ['POST',   '/reports',                 'manage_widget_dashboard', 'all', 'createReport', createReport],
    ['GET',    '/reports/:report_id',      'signed-in',               'all', 'getReport',    showReport],
    ['PATCH',  '/reports/:report_id',      'manage_widget_dashboard', 'all', 'updateReport', changeReport],
    ['DELETE', '/reports/:report_id',      'manage_widget_dashboard', 'all', 'deleteReport', deleteReport],
    ['POST',   '/reports/:report_id/send', 'manage_widget_dashboard', 'all', 'sendReport',   sendReport],
  ]),
  ...routesOf<Services>('Devices', [
    ['GET',  '/get-devices-summary', 'signed-in', 'all', 'listLatestStatus', showLatestStatus],
    ['POST', '/get-devices-summary', 'signed-in', 'all', 'listChosenStatus', showChosenStatus],
  ]),
  ...routesOf<Services>('Groups', [
    ['GET',  '/groups',               'signed-in',     'all', 'listLiteGroups', listLiteGroups],
    ['GET',  '/groups/:group_id',     'signed-in',     'all', 'getLiteGroup',   getLiteGroup],
    ['POST', '/batch-group-requests', 'manage_groups', 'all', 'batchGroups',    batchGroups],
  ]),
]
