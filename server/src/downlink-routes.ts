import { cancelChosenDownlink } from './features/downlinks/cancel-chosen-downlink.ts'
import { listDownlinks } from './features/downlinks/list-downlinks.ts'
import { listFleetDownlinks } from './features/downlinks/list-fleet-downlinks.ts'
import { previewConfiguration } from './features/downlinks/preview-configuration.ts'
import { sendRawDownlink } from './features/downlinks/send-raw-downlink.ts'
import { showConfigurationFields } from './features/downlinks/show-configuration-fields.ts'
import { cancelMove } from './features/moves/cancel-move.ts'
import { getMove } from './features/moves/get-move.ts'
import { listMoves } from './features/moves/list-moves.ts'
import { moveDevice } from './features/moves/move-device.ts'
import type { Route } from './http/endpoint.ts'
import type { Services } from './services.ts'

/** The part of `routes.ts` about downlinks, and about moves between networks. */
// biome-ignore format: a table is read by its columns
export const downlinkRoutes: readonly Route<Services>[] = [
  ['GET',    '/devices/:device_id/configure/fields', 'signed-in',     showConfigurationFields],
  ['POST',   '/devices/:device_id/configure/preview', 'manage_devices', previewConfiguration],
  ['GET',    '/devices/:device_id/downlinks',      'signed-in',       listDownlinks],
  ['POST',   '/devices/:device_id/downlink',       'manage_devices',  sendRawDownlink],
  ['DELETE', '/devices/:device_id/downlinks/:downlink_id', 'manage_devices', cancelChosenDownlink],
  ['GET',    '/fleet/downlinks',                   'signed-in',       listFleetDownlinks],

  ['POST',   '/devices/:device_id/move',           'manage_devices',  moveDevice],
  ['GET',    '/moves',                             'signed-in',       listMoves],
  ['GET',    '/moves/:move_id',                    'signed-in',       getMove],
  ['DELETE', '/moves/:move_id',                    'manage_devices',  cancelMove],
]
