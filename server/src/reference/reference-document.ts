import packageFile from '../../../package.json' with { type: 'json' }
import { kinds } from '../http/change-record.ts'
import type { Route } from '../http/endpoint.ts'
import { type OpenApiDocument, openApiDocument } from '../http/openapi.ts'

/** Words of the API that several operations share, by the name under which the document lists them. */
// biome-ignore format: a list of words
const enumerations: Readonly<Record<string, readonly string[]>> = {
  AccountStatus: ['connected', 'unreachable', 'refused'],
  ActivityKind: kinds,
  AlertKind: [
    'device_silent', 'gateway_silent', 'gateway_uptime', 'low_battery', 'tamper', 'threshold',
    'condition', 'registration_error',
  ],
  AlertState: ['open', 'closed'],
  ApiKeyState: ['valid', 'expired'],
  CodecFunction: ['decodeUplink', 'encodeDownlink', 'decodeDownlink'],
  ConfigurationType: ['sensor', 'general', 'advanced'],
  DeviceActivity: ['active', 'inactive'],
  DeviceOrder: ['name', 'device_id', 'last_seen', 'battery', 'created_at', 'type', 'network'],
  FormFieldType: ['select', 'text', 'multiselect'],
  FormFieldValidation: ['required', 'optional', 'required_if:consoleOnly,1'],
  FrameFormat: ['built_in', 'ts013', 'cayenne_lpp'],
  JobKind: [
    'register', 'rename', 'move', 'configure', 'delete', 'change', 'change_network', 'take_over',
  ],
  JobRowStatus: ['waiting', 'done', 'failed', 'cancelled'],
  MoveState: [
    'preparing', 'waiting', 'completing', 'putting_back', 'done', 'expired', 'cancelled',
    'failed',
  ],
  PayloadFormat: ['ts013', 'cayenne_lpp'],
  Permission: [
    'manage_account', 'manage_widget_dashboard', 'manage_devices', 'manage_gateways',
    'manage_groups',
  ],
  QuarantineReason: ['unknown_device', 'not_storable'],
  RegisterMethod: ['user_account', 'vendor'],
  RegisterStatus: ['pending', 'active', 'register_error'],
  ReportPeriod: ['weekly', 'monthly'],
  ReportState: ['waiting', 'sent', 'failed', 'sending'],
  RegisteredKind: ['device', 'gateway'],
  Role: ['viewer', 'installer', 'operator', 'administrator'],
  SentJobKind: ['register', 'rename', 'move', 'configure', 'delete', 'change', 'change_network'],
  SortDirection: ['asc', 'desc'],
  WebhookEvent: [
    'uplink', 'join', 'downlink', 'device_state', 'registration', 'alert',
    'audit',
  ],
  WebhookState: ['healthy', 'failing', 'paused', 'disabled'],
  YesNoUnknown: ['Yes', 'No', '--'],
}

interface Place {
  /** Where clients reach the service, without a slash at the end. */
  publicUrl: string
  /** `/v1`. */
  basePath: string
}

/** The service's OpenAPI document, with its names. */
export function referenceDocument<S>(routes: readonly Route<S>[], place: Place): OpenApiDocument {
  return openApiDocument(routes, { ...place, version: packageFile.version, enumerations })
}
