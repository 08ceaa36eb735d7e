import fleet.api.AuthenticationApi;
import fleet.api.DevicesApi;
import fleet.api.FleetApi;
import fleet.api.UplinksApi;
import fleet.invoker.ApiClient;
import fleet.model.ListDeviceUplinks200Response;
import fleet.model.ListDevices200Response;
import fleet.model.LogInLoggedIn;
import fleet.model.LogInRequest;
import fleet.model.RegisterDeviceConfirm;
import fleet.model.RegisterDeviceRequest;
import fleet.model.RegisterMethod;

/** Logs in, lists devices, registers one, reads uplinks and exports them. */
public class Main {
  public static void main(String[] words) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("LORA_URL"));
    LogInRequest credentials = new LogInRequest().email(System.getenv("LORA_EMAIL"))
        .password(System.getenv("LORA_PASSWORD"));
    LogInLoggedIn login = new AuthenticationApi(client).logIn(credentials).getLogInLoggedIn();
    client.addDefaultHeader("Authorization", "Bearer " + login.getToken());
    Integer organization = login.getOrganizations().get(0).getId();

    DevicesApi devices = new DevicesApi(client);
    RegisterDeviceRequest registration = new RegisterDeviceRequest().network(10).deviceName("Door")
        .deviceId(System.getenv("LORA_NEW_EUI")).deviceKey("00".repeat(16)).deviceType(16)
        .registerMethod(RegisterMethod.USER_ACCOUNT).consoleOnly(true)
        .action(RegisterDeviceRequest.ActionEnum.CONFIRM);
    RegisterDeviceConfirm registered =
        devices.registerDevice(registration, organization, null).getRegisterDeviceConfirm();
    ListDevices200Response listed = devices.listDevices(organization, null, null, null, null, null, null);
    ListDeviceUplinks200Response uplinks = new UplinksApi(client).listDeviceUplinks(System.getenv("LORA_EUI"), organization,
        null, null);
    String lines = new FleetApi(client).exportFleetUplinksNdjson(organization, null, null, null, null,
        null, null, null, null, null);
    System.out.printf("{\"registered\":\"%s\",\"devices\":%d,\"uplinks\":%d,\"lines\":%d}%n",
        registered.getDevice().getDeviceId(), listed.getListDevicesPaginated().getData().size(),
        uplinks.getData().size(), lines.lines().count());
  }
}
