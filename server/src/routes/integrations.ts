import { acknowledgeAlert } from '../features/alerts/acknowledge-alert.ts'
import { acknowledgeAlerts } from '../features/alerts/acknowledge-alerts.ts'
import { changeAlertRule } from '../features/alerts/change-alert-rule.ts'
import { createAlertRule } from '../features/alerts/create-alert-rule.ts'
import { deleteAlertRule } from '../features/alerts/delete-alert-rule.ts'
import { listAlertRules } from '../features/alerts/list-alert-rules.ts'
import { listAlerts } from '../features/alerts/list-alerts.ts'
import { muteAlertRule } from '../features/alerts/mute-alert-rule.ts'
import { muteDeviceAlerts } from '../features/alerts/mute-device-alerts.ts'
import { showAlert } from '../features/alerts/show-alert.ts'
import { showAlertRule } from '../features/alerts/show-alert-rule.ts'
import { showDeviceAlerts } from '../features/alerts/show-device-alerts.ts'
import { changeApiKey } from '../features/api-keys/change-api-key.ts'
import { createApiKey } from '../features/api-keys/create-api-key.ts'
import { listApiKeys } from '../features/api-keys/list-api-keys.ts'
import { revokeApiKey } from '../features/api-keys/revoke-api-key.ts'
import { rotateApiKey } from '../features/api-keys/rotate-api-key.ts'
import { showApiKey } from '../features/api-keys/show-api-key.ts'
import { showChosenStatus, showLatestStatus } from '../features/devices/latest-status.ts'
import { batchGroups } from '../features/groups/batch-groups.ts'
import { getLiteGroup } from '../features/groups/get-lite-group.ts'
import { listLiteGroups } from '../features/groups/list-lite-groups.ts'
import { changeWebhook } from '../features/webhooks/change-webhook.ts'
import { createWebhook } from '../features/webhooks/create-webhook.ts'
import { deleteWebhook } from '../features/webhooks/delete-webhook.ts'
import { listWebhookDeliveries } from '../features/webhooks/list-deliveries.ts'
import { listWebhookWaiting } from '../features/webhooks/list-waiting.ts'
import { listWebhooks } from '../features/webhooks/list-webhooks.ts'
import { pauseWebhook } from '../features/webhooks/pause-webhook.ts'
import { replayDelivery } from '../features/webhooks/replay-delivery.ts'
import { replayWebhook } from '../features/webhooks/replay-webhook.ts'
import { resumeWebhook } from '../features/webhooks/resume-webhook.ts'
import { rotateWebhookSecret } from '../features/webhooks/rotate-webhook-secret.ts'
import { showWebhook } from '../features/webhooks/show-webhook.ts'
import { testWebhook } from '../features/webhooks/test-webhook.ts'
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
    ['POST',   '/alerts/:alert_id/acknowledge',   'manage_devices', 'all',        'acknowledgeAlert',  acknowledgeAlert],
    ['GET',    '/devices/:device_id/alerts',      'signed-in',      'one device', 'getDeviceAlerts',   showDeviceAlerts],
    ['POST',   '/devices/:device_id/alerts/mute', 'manage_devices', 'one device', 'muteDeviceAlerts',  muteDeviceAlerts],
    ['GET',    '/alert-rules',                    'signed-in',      'all',        'listAlertRules',    listAlertRules],
    ['POST',   '/alert-rules',                    'manage_devices', 'all',        'createAlertRule',   createAlertRule],
    ['GET',    '/alert-rules/:rule_id',           'signed-in',      'all',        'getAlertRule',      showAlertRule],
    ['PATCH',  '/alert-rules/:rule_id',           'manage_devices', 'all',        'updateAlertRule',   changeAlertRule],
    ['DELETE', '/alert-rules/:rule_id',           'manage_devices', 'all',        'deleteAlertRule',   deleteAlertRule],
    ['POST',   '/alert-rules/:rule_id/mute',      'manage_devices', 'all',        'muteAlertRule',     muteAlertRule],
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
