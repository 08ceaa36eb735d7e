/** Logs in, lists devices, registers one, reads uplinks and exports them. */
import {
  AuthenticationApi,
  Configuration,
  DevicesApi,
  FleetApi,
  type LogInLoggedIn,
  UplinksApi,
} from './client/index.js'

async function run() {
  const {
    LORA_URL = '',
    LORA_EMAIL = '',
    LORA_PASSWORD = '',
    LORA_EUI = '',
    LORA_NEW_EUI = '',
  } = process.env
  let accessToken = ''
  const configuration = new Configuration({ basePath: LORA_URL, accessToken: () => accessToken })
  const login = (await new AuthenticationApi(configuration).logIn({
    logInRequest: { email: LORA_EMAIL, password: LORA_PASSWORD },
  })) as LogInLoggedIn
  accessToken = login.token
  const organization = login.organizations[0]?.id
  const devices = new DevicesApi(configuration)
  const registered = await devices.registerDevice({
    organization,
    registerDeviceRequest: {
      network: 10,
      deviceName: 'Door',
      deviceId: LORA_NEW_EUI,
      deviceKey: '00'.repeat(16),
      deviceType: 16,
      registerMethod: 'user_account',
      consoleOnly: true,
      action: 'confirm',
    },
  })
  const listed = await devices.listDevices({ organization })
  const uplinks = await new UplinksApi(configuration).listDeviceUplinks({
    organization,
    deviceId: LORA_EUI,
  })
  const lines = await new FleetApi(configuration).exportFleetUplinksNdjson({ organization })
  console.log(
    JSON.stringify({
      registered: 'device' in registered && registered.device.device_id,
      devices: listed.data.length,
      uplinks: uplinks.data.length,
      lines: lines.trim().split('\n').length,
    }),
  )
}

void run()
