<?php
// Settings → Docent: the server, the bot, the sync key, and the result of the last sync.

if ( ! defined( 'ABSPATH' ) ) {
	exit;
}

/** @return array{server: string, bot: string, sync_key: string} */
function docent_settings() {
	$defaults = array( 'server' => '', 'bot' => '', 'sync_key' => '' );
	return array_merge( $defaults, (array) get_option( 'docent_settings', array() ) );
}

add_action( 'admin_init', function () {
	register_setting( 'docent', 'docent_settings', array( 'sanitize_callback' => 'docent_checked_settings' ) );
} );

/** Keeps the last good settings where the new ones are wrong, and the key where its field was left empty. */
function docent_checked_settings( $given ) {
	$kept   = docent_settings();
	$given  = array_merge( $kept, array_map( 'trim', array_map( 'strval', (array) $given ) ) );
	$server = untrailingslashit( esc_url_raw( $given['server'], array( 'http', 'https' ) ) );
	if ( '' !== $given['server'] && '' === $server ) {
		add_settings_error( 'docent_settings', 'server', 'Enter the full address of your Docent server, such as https://docent.example.' );
		return $kept;
	}
	if ( '' !== $given['bot'] && ! preg_match( '/^[\w-]{1,100}$/', $given['bot'] ) ) {
		add_settings_error( 'docent_settings', 'bot', 'Enter the bot\'s id as the dashboard shows it, such as bot_1a2b.' );
		return $kept;
	}
	if ( '' !== $given['sync_key'] && 0 !== strpos( $given['sync_key'], 'dct_sync_' ) ) {
		add_settings_error( 'docent_settings', 'sync_key', 'A sync key begins with dct_sync_.' );
		return $kept;
	}
	return array(
		'server'   => $server,
		'bot'      => $given['bot'],
		'sync_key' => '' === $given['sync_key'] ? $kept['sync_key'] : $given['sync_key'],
	);
}

add_action( 'admin_menu', function () {
	add_options_page( 'Docent', 'Docent', 'manage_options', 'docent', 'docent_settings_page' );
} );

function docent_settings_page() {
	$settings = docent_settings();
	$has_key  = '' !== $settings['sync_key'];
	$last     = get_option( 'docent_last_sync' );
	?>
	<div class="wrap">
		<h1>Docent</h1>
		<form method="post" action="options.php">
			<?php settings_fields( 'docent' ); ?>
			<table class="form-table" role="presentation">
				<tr>
					<th><label for="docent-server">Server address</label></th>
					<td><input id="docent-server" class="regular-text" type="url" name="docent_settings[server]" value="<?php echo esc_attr( $settings['server'] ); ?>" placeholder="https://docent.example"></td>
				</tr>
				<tr>
					<th><label for="docent-bot">Bot ID</label></th>
					<td><input id="docent-bot" class="regular-text" name="docent_settings[bot]" value="<?php echo esc_attr( $settings['bot'] ); ?>" placeholder="bot_…"></td>
				</tr>
				<tr>
					<th><label for="docent-key">Sync key</label></th>
					<td>
						<input id="docent-key" class="regular-text" type="password" autocomplete="off" name="docent_settings[sync_key]" value="" placeholder="<?php echo esc_attr( $has_key ? 'Saved; leave empty to keep it' : 'dct_sync_…' ); ?>">
						<p class="description">For WooCommerce products. Create it in the Docent dashboard under Products.</p>
					</td>
				</tr>
			</table>
			<?php submit_button(); ?>
		</form>
		<?php if ( $has_key && function_exists( 'wc_get_products' ) ) : ?>
			<h2>Products</h2>
			<p><?php echo esc_html( $last ? $last['text'] : 'Not synced yet.' ); ?></p>
			<form method="post" action="<?php echo esc_url( admin_url( 'admin-post.php' ) ); ?>">
				<?php wp_nonce_field( 'docent_sync' ); ?>
				<input type="hidden" name="action" value="docent_sync">
				<?php submit_button( 'Sync all products now', 'secondary' ); ?>
			</form>
		<?php endif; ?>
	</div>
	<?php
}
