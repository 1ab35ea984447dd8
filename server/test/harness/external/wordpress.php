<?php
// Stubs of the WordPress functions that the plugin uses, and a scenario. Prints what was sent and what is still to be
// sent, as JSON.
define( 'ABSPATH', '/' );
define( 'HOUR_IN_SECONDS', 3600 );
define( 'MINUTE_IN_SECONDS', 60 );

$actions  = array();
$products = array();
$sent     = array();
$on_send  = null;

function add_action( $name, $work ) {
	$GLOBALS['actions'][ $name ] = $work;
}
function get_option( $name, $default = false ) {
	$settings = array( 'server' => 'https://docent.test', 'bot' => 'bot_1', 'sync_key' => 'dct_sync_x' );
	return 'docent_settings' === $name ? $settings : $default;
}
function update_option() {}
function wp_generate_uuid4() {
	return bin2hex( random_bytes( 16 ) );
}
function wp_generate_password() {
	return 'abcdef';
}
function wp_next_scheduled() {
	return false;
}
function wp_schedule_single_event() {}
function current_time() {
	return '12:00';
}
function wp_json_encode( $value ) {
	return json_encode( $value );
}
function is_wp_error() {
	return false;
}
function wp_remote_post( $url, $request ) {
	$GLOBALS['sent'][] = array( 'redirection' => $request['redirection'] ?? 5 ) + json_decode( $request['body'], true );
	if ( $GLOBALS['on_send'] ) {
		( $GLOBALS['on_send'] )();
	}
	return '{"received":0,"created":0,"updated":0,"deleted":0,"failed":0}';
}
function wp_remote_retrieve_response_code() {
	return 200;
}
function wp_remote_retrieve_body( $answer ) {
	return $answer;
}

$wpdb = new class() {
	public $options = 'options';
	public $rows    = array();
	public function prepare( $sql, ...$values ) {
		return $values;
	}
	public function query( $values ) {
		$this->rows[ $values[0] ] = $values[1];
	}
	public function get_results() {
		return array_map(
			fn( $name, $value ) => (object) array( 'option_name' => $name, 'option_value' => $value ),
			array_keys( $this->rows ),
			array_values( $this->rows )
		);
	}
	public function delete( $table, $where ) {
		if ( ( $this->rows[ $where['option_name'] ] ?? null ) === $where['option_value'] ) {
			unset( $this->rows[ $where['option_name'] ] );
		}
	}
};

final class Product {
	public $id;
	public $fields;
	public function __construct( $id, $fields = array() ) {
		$this->id     = $id;
		$this->fields = $fields + array( 'status' => 'publish', 'post_password' => '', 'catalog_visibility' => 'visible' );
	}
	public function get_id() {
		return $this->id;
	}
	public function get_attributes() {
		return array();
	}
	public function is_on_sale() {
		return false;
	}
	public function __call( $name, $given ) {
		return $this->fields[ substr( $name, 4 ) ] ?? '';
	}
}

require $argv[1] . '/settings.php';
require $argv[1] . '/products.php';

docent_note_change( 1 );
// Without WooCommerce, nothing is sent and nothing fails.
$actions['docent_sync_changed']();
$left_without = count( $wpdb->rows );

require __DIR__ . '/woocommerce.php';
$products = array(
	1 => new Product( 1 ),
	2 => new Product( 2, array( 'status' => 'private' ) ),
	3 => new Product( 3, array( 'post_password' => 'secret' ) ),
	4 => new Product( 4, array( 'catalog_visibility' => 'hidden' ) ),
);
array_map( 'docent_note_change', array( 2, 3, 4 ) );
$on_send = function () {
	docent_note_change( 1 );
};
$actions['docent_sync_changed']();
$left    = array_keys( $wpdb->rows );
$on_send = null;
docent_sync_all();
echo json_encode( array( 'left_without_woocommerce' => $left_without, 'left' => $left, 'sent' => $sent ) );
