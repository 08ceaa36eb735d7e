<?php
/** Logs in, lists devices, registers one, reads uplinks and exports them. */

require 'GuzzleHttp/autoload.php';
// Composer would do this.
spl_autoload_register(function (string $class): void {
    $file = 'client/lib/' . str_replace('\\', '/', substr($class, strlen('Fleet\\'))) . '.php';
    if (str_starts_with($class, 'Fleet\\') && is_file($file)) {
        require $file;
    }
});

$configuration = (new Fleet\Configuration())->setHost(getenv('LORA_URL'));
$http = new GuzzleHttp\Client();
$credentials = new Fleet\Model\LogInRequest([
    'email' => getenv('LORA_EMAIL'),
    'password' => getenv('LORA_PASSWORD'),
]);
$login = (new Fleet\Api\AuthenticationApi($http, $configuration))->logIn($credentials);
$configuration->setAccessToken($login->getToken());
$organization = $login->getOrganizations()[0]->getId();

$devices = new Fleet\Api\DevicesApi($http, $configuration);
$registration = new Fleet\Model\RegisterDeviceRequest([
    'network' => 10,
    'device_name' => 'Door',
    'device_id' => getenv('LORA_NEW_EUI'),
    'device_key' => str_repeat('00', 16),
    'device_type' => 16,
    'register_method' => Fleet\Model\RegisterMethod::USER_ACCOUNT,
    'console_only' => true,
    'action' => 'confirm',
]);
$registered = $devices->registerDevice($registration, $organization);
$listed = $devices->listDevices($organization);
$uplinks = (new Fleet\Api\UplinksApi($http, $configuration))
    ->listDeviceUplinks(getenv('LORA_EUI'), $organization);
$lines = (new Fleet\Api\FleetApi($http, $configuration))->exportFleetUplinksNdjson($organization);

echo json_encode([
    'registered' => $registered->getDevice()->getDeviceId(),
    'devices' => count($listed->getData()),
    'uplinks' => count($uplinks->getData()),
    'lines' => count(explode("\n", trim($lines))),
]), "\n";
