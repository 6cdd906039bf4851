// SPDX-License-Identifier: Apache-2.0

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;

/** Neo4j Community with authentication and Bolt on loopback: `Server HOME PORT PAGE_CACHE_BYTES`. */
public final class Server {
    public static void main(String[] arguments) throws Exception {
        DatabaseManagementService service =
                new DatabaseManagementServiceBuilder(Path.of(arguments[0]))
                        .setConfig(GraphDatabaseSettings.auth_enabled, true)
                        .setConfig(GraphDatabaseSettings.pagecache_memory, Long.valueOf(arguments[2]))
                        .setConfig(BoltConnector.enabled, true)
                        .setConfig(
                                BoltConnector.listen_address,
                                new SocketAddress("127.0.0.1", Integer.parseInt(arguments[1])))
                        .build();
        Runtime.getRuntime().addShutdownHook(new Thread(service::shutdown));
        System.out.println("ready");
        // Ends with the process that holds our input, so that a killed test run leaves nothing.
        if (arguments.length > 3 && arguments[3].equals("attached")) {
            while (System.in.read() >= 0) {}
            System.exit(0);
        }
        new CountDownLatch(1).await();
    }
}
